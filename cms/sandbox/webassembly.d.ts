/** What of WebAssembly the sandbox uses: the compiler's own declarations come only with those of browsers. */
declare namespace WebAssembly {
  class RuntimeError extends Error {}
  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum: number })
    readonly buffer: ArrayBuffer
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
