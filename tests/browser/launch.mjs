// How Chromium is started: Debian's package, without anything that talks to the network by itself.
export function launchOptions() {
  return {
    executablePath: process.env.MONOTABLE_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Pictures are alike on every machine.
      "--font-render-hinting=none",
      "--disable-lcd-text",
      "--force-color-profile=srgb",
      "--hide-scrollbars",
    ],
  };
}
