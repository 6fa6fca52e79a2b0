import type { TablerIcon } from '@tabler/icons-react'
import type { ComponentType } from 'react'

/** One address of the admin. Its code is loaded when it is first opened. */
export interface Screen {
  /** Below `/wp-admin/`, with parameters as React Router has them: `posts/:id`. */
  readonly path: string
  /** In the tab of the browser and, unless `nav` has another, in the navigation. */
  readonly title: string
  /** What the user needs, one of several; left out, everybody may see it. */
  readonly capability?: string | readonly string[]
  /** The service or extension that must be active. */
  readonly service?: string
  /** Its place in the navigation; left out, it is reached from other screens. */
  readonly nav?: ScreenNav
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

export interface ScreenNav {
  readonly group: 'overview' | 'content' | 'services' | 'extensions' | 'site'
  /** Of a screen at the top level. */
  readonly icon?: TablerIcon
  /** Shown below the screen with that path, while one of the two is open. */
  readonly parent?: string
  readonly label?: string
  /** A route whose number is shown beside the label, for example comments that wait. */
  readonly Badge?: ComponentType
}
