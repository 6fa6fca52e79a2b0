import type { GeneralCapabilityName, OfferedGeneralCapability } from '../../core/auth/capability-check.ts'
import type { Undo } from '../../core/hooks/types.ts'
import type { AdminIcon, AdminPart } from './page-data.ts'

export type * from './page-data.ts'

/** A page that an extension adds to the admin, at `/wp-admin/extension/<extension>/<slug>`. */
export type AdminPage<Capability extends string = string> = {
  /** Lowercase letters, digits, and hyphens. */
  readonly slug: string
  readonly title: string
  /** Capability required to open it. Its routes check their own. Default `manage_options`. */
  readonly capability?: Capability | undefined
  /** Path of its parent screen in the navigation: `seo`, `settings`. Default: a separate group. */
  readonly parent?: string | undefined
  readonly icon?: AdminIcon | undefined
} & (
  | {
      /** Its parts, from top to bottom. */
      readonly parts: readonly AdminPart[]
      readonly module?: never
    }
  | {
      /**
       * Absolute path of an ES module, JavaScript or TypeScript, which is bundled with its imports. Its default export is
       * `render(root, { read, change, user, signal })`, which may return a cleanup function.
       */
      readonly module: string
      readonly parts?: never
    }
)

/** The admin API for extensions. */
export interface Admin {
  /** Adds a page; the returned function removes it. @throws Error that names what is invalid */
  addPage<Name extends OfferedGeneralCapability>(page: AdminPage<GeneralCapabilityName<Name>>): Undo
}
