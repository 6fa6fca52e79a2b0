import type { TablerIcon } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { ActionItem } from '../parts/action-items.tsx'
import type { Edited } from '../screens/content/editor/use-edited.ts'
import type { ContentTaxonomy, ContentType } from '../screens/content/types.ts'
import type { Screen } from '../screens/screen.ts'
import type { OwnField } from '../settings/own-field.tsx'

/** What a plugin adds to every page of the admin: `admin/index.ts` in its folder. Loaded with the first page. */
export interface PluginAdmin {
  /** Id of the plugin. Nothing is shown while the plugin is inactive. */
  readonly id: string
  /** Position in the navigation: lower numbers come first. */
  readonly position: number
  /** Links to the plugin's settings lead to the first screen. */
  readonly screens: readonly Screen[]
  readonly aside?: PluginAside
}

/** A panel that can be open next to every screen. */
export interface PluginAside {
  readonly title: string
  /** Required capability. */
  readonly capability: string
  readonly icon: TablerIcon
  /** Keyboard shortcut: in the notations of Mantine and ARIA, and as shown to the user. */
  readonly shortcut: { readonly hotkey: string; readonly aria: string; readonly label: string }
  readonly useIsOpen: () => boolean
  readonly toggle: () => void
  readonly close: () => void
  readonly load: () => Promise<{ readonly default: ComponentType<{ onClose(): void }> }>
}

/** What a plugin adds to the administrator's dashboard: `admin/dashboard.ts`, loaded with the dashboard. */
export interface PluginDashboard {
  readonly id: string
  /** Position of its card, and of its items among equally important ones: lower numbers come first. */
  readonly position: { readonly card: number; readonly toDo: number }
  /** Prefix of its items in the to-do list. */
  readonly title: string
  /** Also shown while the plugin is inactive, to explain how to activate it. */
  readonly Card: ComponentType
  /** Its recommendations; requested while the plugin is active. */
  readonly useToDo: () => PluginToDo
  /** A quick action. */
  readonly quickAction?: { readonly label: string; readonly to: string; readonly icon: TablerIcon }
}

export interface PluginToDo {
  readonly items: readonly LinkedItem[]
  /** The source of the items, for messages while they load or fail. */
  readonly queries: readonly UseQueryResult<unknown>[]
}

export interface LinkedItem extends ActionItem {
  /** The screen to fix the item. */
  readonly to: string
}

/** A step of the setup wizard of a new site with settings of a plugin: `admin/first-run.ts`, loaded with the wizard. */
export interface PluginFirstRun {
  /** Id of the plugin, its settings record, and the step. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** The settings that the step asks for. */
  readonly keys: readonly string[]
  /** Custom controls by key. */
  readonly fields?: Readonly<Record<string, OwnField>>
  /** Values that are selected in advance; they are saved with the step. */
  readonly suggested: Readonly<Record<string, unknown>>
}

/** What a plugin adds to the post editor: `admin/editor.ts`, loaded with the editor. */
export interface PluginEditor {
  readonly id: string
  readonly place: 'above the text' | 'below the text'
  readonly Fields: ComponentType<EditorFieldsProps>
  /** Meta keys with this prefix are edited here and not among the custom fields. */
  readonly metaPrefix?: string
  /** Path prefixes whose responses are fetched again after the post is saved. */
  readonly invalidates?: readonly string[]
}

export interface EditorFieldsProps {
  readonly type: ContentType
  readonly taxonomies: readonly ContentTaxonomy[]
  readonly edited: Edited
}
