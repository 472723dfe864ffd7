/** The bytes of `memory.wasm`. `build` embeds them: bundlers lose files beside the code. */
export declare function memoryModule(): Uint8Array<ArrayBuffer>;
