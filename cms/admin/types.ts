import type { GeneralCapabilityName, OfferedGeneralCapability } from '../../core/auth/capability-check.ts'
import type { Undo } from '../../core/hooks/types.ts'
import type { AdminIcon, AdminPart } from './page-data.ts'

export type * from './page-data.ts'

/** A page that an extension adds to the admin, at `/wp-admin/extension/<extension>/<slug>`. */
export type AdminPage<Capability extends string = string> = {
  /** Lower case letters, digits and dashes. */
  readonly slug: string
  readonly title: string
  /** Who sees it. Its routes ask for their own. Default `manage_options`. */
  readonly capability?: Capability | undefined
  /** Path of a screen that it stands below in the navigation: `seo`, `settings`. Default: a group of its own. */
  readonly parent?: string | undefined
  readonly icon?: AdminIcon | undefined
} & (
  | {
      /** What it is made of, from top to bottom. */
      readonly parts: readonly AdminPart[]
      readonly module?: never
    }
  | {
      /**
       * Absolute path of an ES module, JavaScript or TypeScript, which is bundled with what it imports. It default-exports
       * `render(root, { read, change, user, signal })`, which may return what cleans up.
       */
      readonly module: string
      readonly parts?: never
    }
)

/** The admin as an extension sees it. */
export interface Admin {
  /** Adds a page until undone. @throws Error that names what is wrong with it */
  addPage<Name extends OfferedGeneralCapability>(page: AdminPage<GeneralCapabilityName<Name>>): Undo
}
