// Compares two pictures in the browser that took them, so that nothing else has to read their format.
export async function compare(browser, committed, taken) {
  const page = await browser.newPage();
  const urls = [committed, taken].map((bytes) => `data:image/png;base64,${bytes.toString("base64")}`);
  const part = await page.evaluate(async (addresses) => {
    // Each point is the mean of a square: a letter that is drawn half a point further is no difference.
    const SQUARE = 4;
    // Differences of light below this are those of fonts.
    const SEEN = 24;
    const read = async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = new OffscreenCanvas(Math.ceil(image.width / SQUARE), Math.ceil(image.height / SQUARE));
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return { width: image.width, height: image.height, data: context.getImageData(0, 0, canvas.width, canvas.height).data };
    };
    const [first, second] = await Promise.all(addresses.map(read));
    if (first.width !== second.width || first.height !== second.height) return 1;
    let differing = 0;
    for (let at = 0; at < first.data.length; at += 4) {
      const most = Math.max(...[0, 1, 2].map((channel) => Math.abs(first.data[at + channel] - second.data[at + channel])));
      if (most > SEEN) differing += 1;
    }
    return differing / (first.data.length / 4);
  }, urls);
  await page.close();
  return part;
}
