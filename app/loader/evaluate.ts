import { url as inspectorUrl } from 'node:inspector'
import { createRequire } from 'node:module'
import { formatWithOptions, types } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { constants, Script } from 'node:vm'
import { type Bundle, IMPORT_PREFIX, sourceMapOf } from './bundle.ts'
import { mayHoldFrame } from './frames.ts'

/**
 * The last code of each extension, with V8's code cache from the second time on: a process that opens many hosts compiles the same
 * code repeatedly; most processes open one.
 */
const repeats = new Map<string, { hash: string; compiled: Buffer | undefined }>()

/** An evaluated bundle. */
export interface Evaluated {
  /** The exports of its entry file. */
  readonly exports: unknown
  /** V8's code cache with the functions that were called so far; `undefined` if the given one was used. */
  readonly compile: (() => Buffer) | undefined
}

/**
 * Evaluates a bundle.
 * @param face - The module that the extension imports as `pentad`: the product's own instance.
 * @param mapStack - Maps printed stacks to the author's files.
 * @param compiled - V8's code cache of the same code. V8 ignores it if it is from another version.
 */
export function evaluateBundle(
  bundle: Bundle,
  face: object,
  mapStack: (stack: string) => string,
  compiled: Buffer | undefined,
): Evaluated {
  const { code, filename, entry, hash } = bundle
  const native = createRequire(filename)

  function require(specifier: string): unknown {
    if (!specifier.startsWith(IMPORT_PREFIX)) return specifier === 'pentad' ? face : native(specifier)
    const path = specifier.slice(IMPORT_PREFIX.length)
    return path === 'pentad' ? face : namespaceOf(native(path))
  }

  const again = repeats.get(entry)?.hash === hash ? repeats.get(entry) : undefined
  const cachedData = compiled ?? again?.compiled
  const source = inspectorUrl() === undefined ? code : `${code}\n${sourceMapComment(sourceMapOf(bundle))}`
  const script = compileScript(source, filename, cachedData)
  const compile = () => withoutCompilationCache(() => script.createCachedData())
  const module: { exports: unknown } = { exports: {} }
  script.runInThisContext()(
    module.exports,
    Object.assign(require, { resolve: native.resolve }),
    module,
    createMappedConsole(mapStack),
  )
  repeats.set(entry, { hash, compiled: again && !compiled ? (again.compiled ?? compile()) : undefined })
  return { exports: module.exports, compile: script.cachedDataRejected === false ? undefined : compile }
}

/** A function of its own, because the closures of the extension retain all variables that a closure next to them uses. */
function compileScript(source: string, filename: string, cachedData: Buffer | undefined): Script {
  return withoutCompilationCache(
    () =>
      new Script(source, {
        filename,
        ...(cachedData && { cachedData }),
        // Only if needed: Node warns that this constant is experimental.
        ...(/\bimport\s*\(/.test(source) && { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }),
      }),
  )
}

/** The process's console; stacks that an extension prints show the author's files. */
function createMappedConsole(mapStack: (stack: string) => string): Console {
  const original = console
  const mapped: Console = Object.create(original)
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    mapped[method] = (...args) => {
      const text = args.some(mayHoldStack) ? formatWithOptions({ colors: process.stdout.isTTY }, ...args) : ''
      const shown = mapStack(text)
      // A debugger shows values that it can look into.
      if (shown === text) original[method](...args)
      else original[method]('%s', shown)
    }
  }
  return mapped
}

function mayHoldStack(value: unknown): boolean {
  return typeof value === 'string' ? mayHoldFrame(value) : typeof value === 'object'
}

/** Lets a debugger stop at breakpoints in the author's files. Without a debugger, it would double the memory of the code. */
function sourceMapComment(map: string): string {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
}

/**
 * Compiles without V8's compilation cache, which would retain the code and literals of every version: 4 to 7 MB per reload for an extension
 * with 2 MB of modules. The flag is read during compilation only, and a code cache is valid only with the same flags.
 */
function withoutCompilationCache<Result>(work: () => Result): Result {
  setFlagsFromString('--no-compilation-cache')
  try {
    return work()
  } finally {
    setFlagsFromString('--compilation-cache')
  }
}

/** The namespace that an `import` of the module returns: that of an ES module; for CommonJS, `default` and its properties. */
function namespaceOf(required: unknown): unknown {
  if (isNamespace(required)) return required
  const named = typeof required === 'object' || typeof required === 'function' ? required : {}
  return { ...named, __esModule: true, default: required }
}

/** `require` of an ES module with a default export returns a copy whose prototype is the namespace. */
function isNamespace(value: unknown): boolean {
  return types.isModuleNamespaceObject(value) || types.isModuleNamespaceObject(Object.getPrototypeOf(Object(value)))
}
