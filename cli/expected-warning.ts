/** Caused by imports of packages at run time: app/loader/evaluate.ts. */
const EXPECTED = 'vm.USE_MAIN_CONTEXT_DEFAULT_LOADER '

/**
 * Hides one warning of Node: the project deliberately uses an experimental constant, and users of commands cannot do anything about it.
 * Other warnings are shown.
 */
export function hideExpectedWarning(): void {
  process.emitWarning = new Proxy(process.emitWarning, {
    apply(emitWarning, self, args) {
      const [warning] = args
      if (typeof warning !== 'string' || !warning.startsWith(EXPECTED)) Reflect.apply(emitWarning, self, args)
    },
  })
}
