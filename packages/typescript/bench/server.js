// A server that answers every request with the body that its parent sends it.
import { createServer } from "node:http";

process.once("message", (body) => {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/x-amz-json-1.0", "content-length": Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
});
process.once("disconnect", () => process.exit());
