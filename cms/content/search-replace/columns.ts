/** A column of text, by WordPress's names of tables and columns. */
export interface TextColumn {
  readonly table: 'posts' | 'postmeta' | 'terms' | 'termmeta' | 'comments' | 'commentmeta' | 'users'
  readonly name: string
  /** In the database. */
  readonly column: string
  /** Whether it contains JSON, of which only strings are replaced. */
  readonly isJson?: boolean
  /** Included only if specified by name. */
  readonly isOptional?: boolean
}

/** Columns in which text can be replaced: no passwords, e-mail addresses, logins, sessions or user meta. */
export const COLUMNS: readonly TextColumn[] = [
  { table: 'posts', name: 'post_title', column: 'title' },
  { table: 'posts', name: 'post_content', column: 'content' },
  { table: 'posts', name: 'post_excerpt', column: 'excerpt' },
  // Feed readers and imports know a post by it, so it stays even if the address of the site changes.
  { table: 'posts', name: 'guid', column: 'guid', isOptional: true },
  { table: 'postmeta', name: 'meta_value', column: 'meta_value', isJson: true },
  { table: 'terms', name: 'name', column: 'name' },
  { table: 'terms', name: 'description', column: 'description' },
  { table: 'termmeta', name: 'meta_value', column: 'meta_value', isJson: true },
  { table: 'comments', name: 'comment_content', column: 'content' },
  { table: 'comments', name: 'comment_author', column: 'author_name' },
  { table: 'comments', name: 'comment_author_url', column: 'author_url' },
  { table: 'commentmeta', name: 'meta_value', column: 'meta_value', isJson: true },
  { table: 'users', name: 'display_name', column: 'display_name' },
  { table: 'users', name: 'user_url', column: 'url' },
  { table: 'users', name: 'description', column: 'description' },
]

export const OPTIONS = { table: 'options', name: 'option_value' } as const

export const TABLES: readonly string[] = [...new Set([...COLUMNS.map(({ table }) => table), OPTIONS.table])]
export const NAMES: readonly string[] = [...new Set([...COLUMNS.map(({ name }) => name), OPTIONS.name])]
