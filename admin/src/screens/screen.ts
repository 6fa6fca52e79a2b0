import type { TablerIcon } from '@tabler/icons-react'
import type { ComponentType } from 'react'

/** A screen of the admin. Its code is loaded when it is first opened. */
export interface Screen {
  /** Path below `/wp-admin/`, with React Router parameters: `posts/:id`. */
  readonly path: string
  /** Shown in the browser tab and, unless `nav` overrides it, in the navigation. */
  readonly title: string
  /** Required capability, or one of several; without it, everyone may open the screen. */
  readonly capability?: string | readonly string[]
  /** The service or extension that must be active. */
  readonly service?: string
  /** Position in the navigation; without it, the screen is reached only from other screens. */
  readonly nav?: ScreenNav
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

export interface ScreenNav {
  readonly group: 'overview' | 'content' | 'services' | 'extensions' | 'site'
  /** Icon of a top-level entry. */
  readonly icon?: TablerIcon
  /** The path of the parent entry; shown while the parent or a sibling is open. */
  readonly parent?: string
  readonly label?: string
  /** A badge next to the label, for example the number of pending comments. */
  readonly Badge?: ComponentType
}
