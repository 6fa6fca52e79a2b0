/**
 * What the admin screens of a plugin may import as `pentad/admin`, in addition to the modules of the shell that the lint
 * allows.
 */
import type { PluginAdmin, PluginDashboard, PluginEditor, PluginFirstRun } from './types.ts'

export type { Edited } from '../screens/content/editor/use-edited.ts'
export type { ContentTaxonomy, ContentType, Term } from '../screens/content/types.ts'
export type { HookReport } from '../screens/extensions/types.ts'
export type { Screen } from '../screens/screen.ts'
export type * from './types.ts'

/** Types what a plugin adds to every page of the admin. An identity function. */
export function defineAdmin(admin: PluginAdmin): PluginAdmin {
  return admin
}

/** Types what a plugin adds to the dashboard. An identity function. */
export function defineDashboard(dashboard: PluginDashboard): PluginDashboard {
  return dashboard
}

/** Types what a plugin adds to the editor. An identity function. */
export function defineEditor(editor: PluginEditor): PluginEditor {
  return editor
}

/** Types a plugin's step of the setup wizard. An identity function. */
export function defineFirstRun(step: PluginFirstRun): PluginFirstRun {
  return step
}
