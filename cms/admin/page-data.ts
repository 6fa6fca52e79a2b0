/**
 * What the server puts into the admin's page (`<script type="application/json" id="pentad-data">`). Types only: the
 * client imports them too.
 */
export interface AdminData {
  readonly site: {
    readonly title: string
    /** Public origin, without a slash at the end. */
    readonly url: string
    /** IANA name or an offset such as `+02:00`; empty for UTC. */
    readonly timezone: string
    /** Whether the site wants to be found by search engines. */
    readonly isPublic: boolean
    /** Id of the category of posts that have no other; it can't be deleted. */
    readonly defaultCategory: number
  }
  readonly user: AdminUser
  /** For `X-WP-Nonce`. A newer one is at `/wp-admin/admin-ajax.php?action=rest-nonce`. */
  readonly nonce: string
  /** Path of the REST API: `/wp-json/`. */
  readonly restUrl: string
  readonly logoutUrl: string
  /** Ids of the active extensions and services. */
  readonly services: readonly string[]
  /** Whether no extension runs but the services, because the process ended again and again or its owner said so. */
  readonly safeMode: boolean
  /**
   * When within the last week the process of the site was ended without an extension that could be named, and why: `memory`
   * that was used up, or an event loop that was `blocked`. For who may `activate_plugins`.
   */
  readonly unexplainedEnd: { readonly kind: 'memory' | 'blocked'; readonly time: string } | null
  /** Whether no request over HTTP may change the code of the site (`PENTAD_DISALLOW_FILE_MODS`). */
  readonly disallowFileMods: boolean
  /** Every settings record by name, for who may `manage_options`; else empty. */
  readonly settings: Readonly<Record<string, AdminSettings>>
  /** Types of posts that this user may edit, in the order of their registration; files are none of them. */
  readonly types: readonly AdminType[]
  /** Pages of extensions that this user may see. */
  readonly pages: readonly AdminPageData[]
  readonly locale: AdminLocale
  /** For `<style>` elements that scripts make; the policy refuses those without it. */
  readonly styleNonce: string
}

/** The rest of it is at `wp/v2/types/<name>`. */
export interface AdminType {
  readonly name: string
  readonly label: string
  readonly singularLabel: string
}

export interface AdminUser {
  readonly id: number
  readonly name: string
  readonly login: string
  readonly email: string
  /** Address of a picture on this site; empty where there is none. */
  readonly avatar: string
  readonly roles: readonly string[]
  /** Primitive capabilities, by roles and filters. */
  readonly capabilities: readonly string[]
}

export interface AdminSettings {
  /** For `If-Match`, in quotes: `"…"`. */
  readonly version: string
  /** Secrets that are set show as `********`. */
  readonly values: Readonly<Record<string, unknown>>
}

export interface AdminLocale {
  /** BCP 47. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** Jed's format, as `tannin` reads it; `null` where there is no translation. */
  readonly messages: Record<string, string[] | Record<string, string>> | null
}

/** A page that an extension added: made of parts, or drawn by a module of its own. */
export interface AdminPageData {
  readonly extension: string
  /** Name of the extension. */
  readonly owner: string
  readonly slug: string
  /** `/wp-admin/extension/<extension>/<slug>` */
  readonly path: string
  readonly title: string
  /** Path of the screen that it stands below in the navigation; without one, it stands in a group of extensions. */
  readonly parent?: string | undefined
  readonly icon?: AdminIcon | undefined
  readonly parts?: readonly AdminPart[] | undefined
  /** Address of its ES module. */
  readonly module?: string | undefined
  /** Why its module could not be made; told to those who may change extensions. */
  readonly problem?: string | undefined
}

export type AdminIcon = typeof import('./icons.ts').ADMIN_ICONS[number]

/** A piece of a page that is made of parts. Routes are paths below the REST root: `orders/v1/stats`. */
export type AdminPart = AdminText | AdminStats | AdminTable | AdminSettingsForm | AdminButtons

/** Paragraphs of plain text; an empty line parts them. */
export interface AdminText {
  readonly type: 'text'
  readonly title?: string | undefined
  readonly text: string
}

/** Figures that a `GET` route answers as an object, shown by name. */
export interface AdminStats {
  readonly type: 'stats'
  readonly title?: string | undefined
  readonly route: string
  /** Which members of the answer, as `key` or `some.inner.key`, and what they are called. */
  readonly items: readonly { readonly key: string; readonly label: string; readonly unit?: string | undefined }[]
}

/** Rows that a `GET` route answers page by page, as `paginated` makes it or as lists of `wp/v2` are. */
export interface AdminTable {
  readonly type: 'table'
  readonly title?: string | undefined
  readonly route: string
  readonly columns: readonly AdminColumn[]
  /** Whether the route takes `search`. */
  readonly search?: boolean | undefined
  /** What is said where there are no rows: what to do first. */
  readonly empty?: string | undefined
  /** Buttons of each row; `{key}` in a route stands for a member of the row. */
  readonly actions?: readonly AdminButton[] | undefined
}

export interface AdminColumn {
  readonly key: string
  readonly label: string
  /** Default `text`. */
  readonly format?: 'text' | 'number' | 'date' | 'boolean' | 'link' | 'code' | undefined
}

/** The form of the extension's settings, or of some of their keys. */
export interface AdminSettingsForm {
  readonly type: 'settings'
  readonly title?: string | undefined
  readonly keys?: readonly string[] | undefined
}

export interface AdminButtons {
  readonly type: 'buttons'
  readonly title?: string | undefined
  readonly buttons: readonly AdminButton[]
}

/** Calls a route. */
export interface AdminButton {
  readonly label: string
  /** Default `POST`. */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  readonly route: string
  /** JSON sent along. */
  readonly body?: unknown
  /** Asked before; the name of the thing should be in it. */
  readonly confirm?: string | undefined
  /** Said when it is done. */
  readonly done?: string | undefined
  /** Shown as something that cannot be undone. */
  readonly destructive?: boolean | undefined
}
