// Many calls a second, as a busy program sends them: requests of the DynamoDB API, written once and sent over a few connections.
import net from "node:net";
import { once } from "node:events";

// So many connections, and so many requests of each that are not answered yet.
const CONNECTIONS = 4;
const MOST_WAITING = 64;
const TICK = 10;

function writeRequest(host, operation, body) {
  const text = JSON.stringify(body);
  const head = [
    "POST / HTTP/1.1", `host: ${host}`, "content-type: application/x-amz-json-1.0", "x-amz-date: 20260101T000000Z", `x-amz-target: DynamoDB_20120810.${operation}`,
    "authorization: AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0", `content-length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
}

// Answers are counted by their first lines. One may be cut between two pieces, so the end of a piece is kept.
function countAnswers(socket, heard) {
  let rest = "";
  socket.setEncoding("latin1");
  socket.on("data", (piece) => {
    const text = rest + piece;
    const lines = text.split("HTTP/1.1 200 OK");
    rest = lines.pop().slice(-14);
    heard(lines.length);
  });
}

// Sends `rate` calls a second for some seconds, or as many as the server takes. Gives back how many were answered, and in what time.
export async function flood(address, { rate, seconds, operation, body }) {
  const { host, hostname, port } = new URL(address);
  const request = writeRequest(host, operation, body);
  const lines = await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    const line = { socket: net.connect(Number(port), hostname), waiting: 0 };
    line.socket.setNoDelay(true);
    await once(line.socket, "connect");
    countAnswers(line.socket, (count) => { line.waiting -= count; line.answered = (line.answered ?? 0) + count; });
    return line;
  }));
  const begin = performance.now();
  let sent = 0;
  for (let now = begin; now - begin < 1000 * seconds; now = performance.now()) {
    let due = Math.floor((rate * (now - begin)) / 1000) - sent;
    for (const line of lines) {
      const count = Math.max(0, Math.min(MOST_WAITING - line.waiting, Math.ceil(due / CONNECTIONS)));
      if (count > 0) line.socket.write(Buffer.concat(Array(count).fill(request)));
      line.waiting += count;
      sent += count;
      due -= count;
    }
    // What the server does not take in time is not sent later in one heap.
    sent += Math.max(0, due - rate);
    await new Promise((resolve) => setTimeout(resolve, TICK));
  }
  const took = (performance.now() - begin) / 1000;
  for (const { socket } of lines) socket.destroy();
  return { answered: lines.reduce((sum, line) => sum + (line.answered ?? 0), 0), took };
}
