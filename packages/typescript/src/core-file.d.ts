/** Where the package has `core.wasm`, and how many bytes it has. `build` writes it, because it differs between ESM and CommonJS. */
export declare const coreFile: { readonly find(): string | URL; readonly length: number };
