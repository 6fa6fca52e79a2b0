import type { TablerIcon } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { ActionItem } from '../parts/action-items.tsx'
import type { Edited } from '../screens/content/editor/use-edited.ts'
import type { ContentTaxonomy, ContentType } from '../screens/content/types.ts'
import type { Screen } from '../screens/screen.ts'

/** What the admin of a plugin brings to every page: `admin/index.ts` in its folder. It is loaded with the first one. */
export interface PluginAdmin {
  /** Of the plugin. Nothing of it is shown while that is not active. */
  readonly id: string
  /** Its place in the navigation: a smaller number stands further up. */
  readonly position: number
  /** The first one is where its settings are found. */
  readonly screens: readonly Screen[]
  readonly aside?: PluginAside
}

/** What can stand open beside every screen. */
export interface PluginAside {
  readonly title: string
  /** What the user needs. */
  readonly capability: string
  readonly icon: TablerIcon
  /** As Mantine names it, as ARIA does, and as the user reads it. */
  readonly shortcut: { readonly hotkey: string; readonly aria: string; readonly label: string }
  readonly useIsOpen: () => boolean
  readonly toggle: () => void
  readonly close: () => void
  readonly load: () => Promise<{ readonly default: ComponentType<{ onClose(): void }> }>
}

/** What it brings to the dashboard of who owns the site: `admin/dashboard.ts`, loaded with that. */
export interface PluginDashboard {
  readonly id: string
  /** Its place among the others, that of its items among equally important ones: a smaller number stands further up. */
  readonly position: { readonly card: number; readonly toDo: number }
  /** Before each of its items in the list of what is to be done. */
  readonly title: string
  /** Also shown while the plugin is not active: how it is switched on. */
  readonly Card: ComponentType
  /** What would help; asked while it is active. */
  readonly useToDo: () => PluginToDo
  /** A button at the top. */
  readonly quickAction?: { readonly label: string; readonly to: string; readonly icon: TablerIcon }
}

export interface PluginToDo {
  readonly items: readonly LinkedItem[]
  /** Where the items come from, for what is said while they are read or cannot be. */
  readonly queries: readonly UseQueryResult<unknown>[]
}

export interface LinkedItem extends ActionItem {
  /** The screen where it is done. */
  readonly to: string
}

/** What it brings to the editor of posts of every type: `admin/editor.ts`, loaded with that. */
export interface PluginEditor {
  readonly id: string
  readonly place: 'above the text' | 'below the text'
  readonly Fields: ComponentType<EditorFieldsProps>
  /** Meta whose keys begin so has its fields here, and not among those of other extensions. */
  readonly metaPrefix?: string
  /** Beginnings of paths whose answers are read again after the post was saved. */
  readonly invalidates?: readonly string[]
}

export interface EditorFieldsProps {
  readonly type: ContentType
  readonly taxonomies: readonly ContentTaxonomy[]
  readonly edited: Edited
}
