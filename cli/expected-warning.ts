/** How extensions import packages while they run: core/extensions/evaluate.ts. */
const EXPECTED = 'vm.USE_MAIN_CONTEXT_DEFAULT_LOADER '

/**
 * Keeps one warning of Node off standard error: that a constant is experimental which this project uses knowingly. Whoever
 * runs a command can do nothing about it. All other warnings are shown.
 */
export function hideExpectedWarning(): void {
  process.emitWarning = new Proxy(process.emitWarning, {
    apply(emitWarning, self, args) {
      const [warning] = args
      if (typeof warning !== 'string' || !warning.startsWith(EXPECTED)) Reflect.apply(emitWarning, self, args)
    },
  })
}
