import type { AdminLocale } from '../text/admin-locale.ts'

/**
 * The data that the server embeds in the admin page (`<script type="application/json" id="pentad-data">`). Types only: the
 * client imports them too.
 */
export interface AdminData {
  readonly site: {
    readonly title: string
    /** Public origin without a trailing slash. */
    readonly url: string
    /** Locale of the site, such as `de_DE`. */
    readonly language: string
    /** IANA name or an offset such as `+02:00`; empty for UTC. */
    readonly timezone: string
    /** Whether search engines may index the site. */
    readonly isPublic: boolean
    /** Id of the default category; it can't be deleted. */
    readonly defaultCategory: number
    /** Whether new posts allow comments. */
    readonly defaultCommentStatus: 'open' | 'closed'
    /** Whether new posts allow pingbacks. */
    readonly defaultPingStatus: 'open' | 'closed'
    /** Whether an SMTP server is configured. Otherwise emails are only stored as files. */
    readonly sendsEmail: boolean
    /** Whether the SMTP server is set in the server configuration, which takes precedence over the settings. */
    readonly smtpFromServer: boolean
  }
  readonly user: AdminUser
  /** For `X-WP-Nonce`. A newer one is at `/wp-admin/admin-ajax.php?action=rest-nonce`. */
  readonly nonce: string
  /** Path of the REST API: `/wp-json/`. */
  readonly restUrl: string
  readonly logoutUrl: string
  /** Ids of the active extensions and services. */
  readonly services: readonly string[]
  /**
   * Whether the site is in safe mode: only services run, because the process kept crashing or because of `--safe-mode`.
   */
  readonly safeMode: boolean
  /**
   * The last time within a week that the process was ended without an extension identified as the cause, and why: out of
   * `memory`, or a `blocked` event loop. For users who may `activate_plugins`.
   */
  readonly unexplainedEnd: { readonly kind: 'memory' | 'blocked'; readonly time: string } | null
  /** Whether no HTTP request may change the code of the site (`PENTAD_DISALLOW_FILE_MODS`). */
  readonly disallowFileMods: boolean
  /** Every settings record by name, for users who may `manage_options`; empty for others. */
  readonly settings: Readonly<Record<string, AdminSettings>>
  /** Post types that this user may edit, in the order of registration; without attachments. */
  readonly types: readonly AdminType[]
  /** Pages of extensions that this user may open. */
  readonly pages: readonly AdminPageData[]
  readonly locale: AdminLocale
  /** For `<style>` elements added by scripts; the content security policy blocks those without it. */
  readonly styleNonce: string
}

/** The full type is at `wp/v2/types/<name>`. */
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
  /** URL of an image on this site; empty if there is none. */
  readonly avatar: string
  readonly roles: readonly string[]
  /** Primitive capabilities, from roles and filters. */
  readonly capabilities: readonly string[]
}

export interface AdminSettings {
  /** For `If-Match`, including quotes: `"…"`. */
  readonly version: string
  /** Stored secrets are shown as `********`. */
  readonly values: Readonly<Record<string, unknown>>
}

/** A page added by an extension: described by parts, or rendered by a module. */
export interface AdminPageData {
  readonly extension: string
  /** Name of the extension. */
  readonly owner: string
  readonly slug: string
  /** `/wp-admin/extension/<extension>/<slug>` */
  readonly path: string
  readonly title: string
  /** Path of its parent screen in the navigation; without one, it is in the extensions group. */
  readonly parent?: string | undefined
  readonly icon?: AdminIcon | undefined
  readonly parts?: readonly AdminPart[] | undefined
  /** URL of its ES module. */
  readonly module?: string | undefined
  /** Why its module could not be built; for users who may change extensions. */
  readonly problem?: string | undefined
}

export type AdminIcon = typeof import('./icons.ts').ADMIN_ICONS[number]

/** A part of a page. Routes are paths relative to the REST root: `orders/v1/stats`. */
export type AdminPart = AdminText | AdminStats | AdminTable | AdminSettingsForm | AdminButtons

/** Paragraphs of plain text, separated by blank lines. */
export interface AdminText {
  readonly type: 'text'
  readonly title?: string | undefined
  readonly text: string
}

/** Key figures from a `GET` route that returns an object. */
export interface AdminStats {
  readonly type: 'stats'
  readonly title?: string | undefined
  readonly route: string
  /** The properties to show, as `key` or `some.inner.key`, and their labels. */
  readonly items: readonly { readonly key: string; readonly label: string; readonly unit?: string | undefined }[]
}

/** Rows from a paginated `GET` route, as `paginated` creates it or as lists of `wp/v2` are. */
export interface AdminTable {
  readonly type: 'table'
  readonly title?: string | undefined
  readonly route: string
  readonly columns: readonly AdminColumn[]
  /** Whether the route accepts `search`. */
  readonly search?: boolean | undefined
  /** Shown if there are no rows: what to do first. */
  readonly empty?: string | undefined
  /** Buttons of each row; `{key}` in a route is replaced with a property of the row. */
  readonly actions?: readonly AdminRowButton[] | undefined
  /** A view of one row, opened from its first column. Only one table on a page can have it. */
  readonly details?: AdminDetails | undefined
}

/** A view of one row of a table, with the buttons of the row. */
export interface AdminDetails {
  /** `{key}` is replaced with a property of the item: `Order {number}`. */
  readonly title: string
  /** A `GET` route that returns an object; `{id}` is replaced with that of the row. */
  readonly route: string
  readonly parts: readonly AdminDetailPart[]
}

export type AdminDetailPart = AdminFields | AdminRows | AdminForm

/** Properties of the item with their labels. */
export interface AdminFields {
  readonly type: 'fields'
  readonly title?: string | undefined
  readonly fields: readonly AdminColumn[]
}

/** A property of the item that is an array of objects, as a table. */
export interface AdminRows {
  readonly type: 'rows'
  readonly title: string
  readonly key: string
  readonly columns: readonly AdminColumn[]
  /** Shown if there are no rows. */
  readonly empty?: string | undefined
}

/** A form that calls a route with its fields, added to the properties of `button.body`. */
export interface AdminForm {
  readonly type: 'form'
  readonly title: string
  /** Shown above the fields. */
  readonly text?: string | undefined
  readonly fields: readonly AdminFormField[]
  readonly button: Omit<AdminRowButton, 'body'> & { readonly body?: Readonly<Record<string, unknown>> | undefined }
}

export interface AdminFormField {
  readonly key: string
  readonly label: string
  readonly multiline?: boolean | undefined
  readonly required?: boolean | undefined
}

export interface AdminColumn {
  readonly key: string
  readonly label: string
  /** Default `text`. */
  readonly format?: 'text' | 'number' | 'date' | 'boolean' | 'link' | 'code' | undefined
}

/** The settings form of the extension, or some of its keys. */
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
  /** Request body, sent as JSON. */
  readonly body?: unknown
  /** Confirmation question; it should name the item. */
  readonly confirm?: string | undefined
  /** Notification on success. */
  readonly done?: string | undefined
  /** Styled as an action that can't be undone. */
  readonly destructive?: boolean | undefined
}

/** A button for one row. */
export interface AdminRowButton extends AdminButton {
  /** Shown only if the property `key` of the row is one of these values: `{ key: 'state', is: ['open'] }`. */
  readonly when?: { readonly key: string; readonly is: readonly (string | number | boolean)[] } | undefined
}
