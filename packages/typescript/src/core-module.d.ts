/** The bytes of `core.wasm`. `build` embeds them: bundlers lose files beside the code. */
export declare function coreModule(): Uint8Array<ArrayBuffer>;
