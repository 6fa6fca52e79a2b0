import type { ExtensionView } from '../../core/extensions/context.ts'
import type { Undo } from '../../core/hooks/types.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    /**
     * Calls this after the extension was activated by an administrator or a command, like `register_activation_hook` in WordPress. Not
     * called when the site starts, nor on a reload or an update.
     */
    registerActivationHook(callback: () => void | Promise<void>): Undo
    /**
     * Calls this before the extension is deactivated, while everything it registered still works, like `register_deactivation_hook` in
     * WordPress. Not called when it is paused, reloaded, or updated, nor when the site shuts down.
     */
    registerDeactivationHook(callback: () => void | Promise<void>): Undo
    /**
     * Calls this once in the new version, after the extension was updated while it is active. For changes of tables, use migrations.
     * @param callback - Receives the version before, and this one.
     */
    registerUpdateHook(callback: (from: string, to: string) => void | Promise<void>): Undo
  }
}

/** The members of `host` for the lifecycle of the extension. */
export const lifecycleView: ExtensionView = ({ id, hooks }) => {
  const forThisOne = (callback: () => void | Promise<void>) => (which: string) =>
    which === id ? callback() : undefined
  return {
    registerActivationHook: (callback) => hooks.addAction('activated_plugin', forThisOne(callback)),
    registerDeactivationHook: (callback) => hooks.addAction('deactivate_plugin', forThisOne(callback)),
    registerUpdateHook: (callback) =>
      hooks.addAction('upgrader_process_complete', ({ action, plugins: [which], previousVersion, version }) =>
        action === 'update' && which === id && previousVersion !== null
          ? callback(previousVersion, version)
          : undefined,
      ),
  }
}
