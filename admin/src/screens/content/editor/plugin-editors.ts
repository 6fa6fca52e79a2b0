import { hasService } from '../../../page-data.ts'
import type { PluginEditor } from '../../../plugins/types.ts'

const found = import.meta.glob<PluginEditor>('../../../../../plugins/*/admin/editor.ts', {
  eager: true,
  import: 'default',
})

/** What the active plugins of the product bring to the editor. */
export const pluginEditors: readonly PluginEditor[] = Object.values(found).filter(({ id }) => hasService(id))
