/** What the admin of a plugin may import, as `pentad/admin`, beside the parts of the shell that the lint lists. */
import type { PluginAdmin, PluginDashboard, PluginEditor } from './types.ts'

export type { Edited } from '../screens/content/editor/use-edited.ts'
export type { ContentTaxonomy, ContentType, Term } from '../screens/content/types.ts'
export type { HookReport } from '../screens/extensions/types.ts'
export type { Screen } from '../screens/screen.ts'
export type * from './types.ts'

/** Types what a plugin brings to every page of the admin; it returns what it is given. */
export function defineAdmin(admin: PluginAdmin): PluginAdmin {
  return admin
}

/** Types what a plugin brings to the dashboard; it returns what it is given. */
export function defineDashboard(dashboard: PluginDashboard): PluginDashboard {
  return dashboard
}

/** Types what a plugin brings to the editor; it returns what it is given. */
export function defineEditor(editor: PluginEditor): PluginEditor {
  return editor
}
