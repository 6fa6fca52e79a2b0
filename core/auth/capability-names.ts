/**
 * All capabilities, so that editors complete them and the compiler reports misspelled ones. Extensions add their own, including those
 * of their post types:
 *
 * ```ts
 * import type { PostTypeCapabilities } from 'pentad'
 *
 * declare module 'pentad' {
 *   interface Capabilities extends PostTypeCapabilities<'book', 'books'> {
 *     manage_library: true
 *     lend_book: [bookId: number]
 *   }
 * }
 * ```
 *
 * `true`: a primitive capability, which roles have. A tuple: the arguments of a meta capability, which the `map_meta_cap` filter maps to
 * primitive ones. The list is WordPress's: https://wordpress.org/documentation/article/roles-and-capabilities/
 */
export interface Capabilities {
  /** Everyone has it, including anonymous visitors. */
  exist: true
  read: true
  unfiltered_html: true
  unfiltered_upload: true

  manage_options: true
  update_core: true

  list_users: true
  create_users: true
  add_users: true
  edit_users: true
  promote_users: true
  remove_users: true
  delete_users: true

  activate_plugins: true
  deactivate_plugins: true
  resume_plugins: true
  edit_plugins: true
  install_plugins: true
  upload_plugins: true
  update_plugins: true
  delete_plugins: true

  edit_user: [userId: number]
  promote_user: [userId: number]
  remove_user: [userId: number]
  delete_user: [userId: number]
  activate_plugin: [plugin: string]
  deactivate_plugin: [plugin: string]
  resume_plugin: [plugin: string]
}
