import type { ExtensionDefinition } from './types.ts'

/**
 * Types an extension; returns its argument.
 *
 * @example
 * ```ts
 * import { defineExtension } from 'pentad'
 *
 * export default defineExtension({
 *   id: 'shout',
 *   name: 'Shout',
 *   version: '1.0.0',
 *   setup({ hooks }) {
 *     hooks.addFilter('the_title', (title) => title.toUpperCase())
 *   },
 * })
 * ```
 */
export function defineExtension(definition: ExtensionDefinition): ExtensionDefinition {
  return definition
}
