// Items as DynamoDB writes them, and as the AWS SDK has them.
import { decodeBase64, encodeBase64 } from "./base64.js";

// DynamoDB's JSON holds bytes as base64, the SDK as Uint8Array; all else is alike. Changed in place: the objects are ours
// alone, and a copy of a large page takes much longer.
export function fromWire(value: any): any {
  for (const name in value) {
    const inner = value[name];
    if (name === "B" && typeof inner === "string") value[name] = decodeBase64(inner);
    else if (name === "BS" && Array.isArray(inner)) value[name] = inner.map(decodeBase64);
    else if (typeof inner === "object") fromWire(inner);
  }
  return value;
}

export function toWire(value: any): any {
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof Date) return value.getTime() / 1000;
  for (const name in value) if (typeof value[name] === "object") value[name] = toWire(value[name]);
  return value;
}
