/// <reference path="./webassembly.d.ts" />
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Where the npm package has the engine. */
const PACKAGED = join(import.meta.dirname, '..', '..', 'vendor', 'quickjs.wasm')

let compiled: Promise<WebAssembly.Module> | undefined

/** The engine, QuickJS as WebAssembly: compiled on first use, once for the process. */
export function compileEngine(): Promise<WebAssembly.Module> {
  compiled ??= readEngine().then((bytes) => WebAssembly.compile(bytes))
  return compiled
}

function readEngine(): Promise<NonSharedBuffer> {
  const file = existsSync(PACKAGED)
    ? PACKAGED
    : createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')
  return readFile(file)
}
