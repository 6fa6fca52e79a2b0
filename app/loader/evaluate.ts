import { createRequire } from 'node:module'
import { formatWithOptions, types } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { compileFunction, constants } from 'node:vm'
import { type Bundle, IMPORT_PREFIX } from './bundle.ts'
import { mayHoldFrame } from './frames.ts'

/**
 * What was compiled last of each extension, with V8's own form of it from the second time on: a process that opens many
 * hosts reads the same code again and again, and most processes open one.
 */
const repeats = new Map<string, { hash: string; compiled: Buffer | undefined }>()

/**
 * Runs a bundle and answers what its entry exports.
 *
 * @param face - What the extension imports as `pentad`: the very instance that the product has.
 * @param mapStack - Brings stacks that it prints to the author's files.
 */
export function evaluateBundle(
  { code, filename, entry, map, hash }: Bundle,
  face: object,
  mapStack: (stack: string) => string,
): unknown {
  const native = createRequire(filename)

  function require(specifier: string): unknown {
    if (!specifier.startsWith(IMPORT_PREFIX)) return specifier === 'pentad' ? face : native(specifier)
    const path = specifier.slice(IMPORT_PREFIX.length)
    return path === 'pentad' ? face : namespaceOf(native(path))
  }

  const again = repeats.get(entry)?.hash === hash ? repeats.get(entry) : undefined
  const run = compileUncached(`${code}\n${sourceMapComment(map)}`, ['exports', 'require', 'module', 'console'], {
    filename,
    ...(again && (again.compiled ? { cachedData: again.compiled } : { produceCachedData: true })),
    // Only where it is needed: Node warns that this constant is experimental.
    ...(/\bimport\s*\(/.test(code) && { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }),
  })
  repeats.set(entry, { hash, compiled: again?.compiled ?? run.cachedData })
  const module: { exports: unknown } = { exports: {} }
  run(module.exports, Object.assign(require, { resolve: native.resolve }), module, createMappedConsole(mapStack))
  return module.exports
}

/** The process's console; what an extension prints with a stack in it shows the author's files. */
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

/** With it a debugger stops at breakpoints that the author set in their own files. */
function sourceMapComment(map: string): string {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
}

/**
 * Compiles without V8's cache of compiled scripts, which would keep the code and the literals of every version alive: of
 * an extension with 2 MB of modules 4 to 7 MB a reload. The flag is read while compiling and only then.
 */
function compileUncached(...call: Parameters<typeof compileFunction>): ReturnType<typeof compileFunction> {
  setFlagsFromString('--no-compilation-cache')
  try {
    return compileFunction(...call)
  } finally {
    setFlagsFromString('--compilation-cache')
  }
}

/** What an `import` of the module sees: the namespace of an ES module; of CommonJS, `default` and its properties. */
function namespaceOf(required: unknown): unknown {
  if (isNamespace(required)) return required
  const named = typeof required === 'object' || typeof required === 'function' ? required : {}
  return { ...named, __esModule: true, default: required }
}

/** `require` of an ES module with a default export answers a copy whose prototype is the namespace. */
function isNamespace(value: unknown): boolean {
  return types.isModuleNamespaceObject(value) || types.isModuleNamespaceObject(Object.getPrototypeOf(Object(value)))
}
