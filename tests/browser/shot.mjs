// Takes a picture of a screen: node shot.mjs ADDRESS FILE [WIDTH] [light|dark]
import { chromium } from "playwright-core";
import { launchOptions } from "./launch.mjs";

const [address, file, width = "1440", scheme = "light"] = process.argv.slice(2);
const browser = await chromium.launch(launchOptions());
const page = await browser.newPage({ viewport: { width: Number(width), height: width < 800 ? 844 : 900 }, colorScheme: scheme });
page.on("console", (message) => message.type() === "error" && console.error(message.text()));
page.on("pageerror", (problem) => console.error(String(problem)));
await page.goto(address);
await page.waitForLoadState("networkidle").catch(() => {});
await page.waitForTimeout(200);
await page.screenshot({ path: file });
await browser.close();
