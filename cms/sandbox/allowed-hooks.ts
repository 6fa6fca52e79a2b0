/** Filters that render what visitors read. */
const PAGE_FILTERS = [
  ...['the_content', 'the_content_feed', 'the_excerpt', 'render_block', 'pre_render_block', 'page_html'],
  ...['embed_oembed_html', 'seo_title', 'seo_description', 'seo_llms_txt'],
] as const

/** Actions that render pages. */
const PAGE_ACTIONS = ['template_redirect', 'wp_head', 'wp_body_open', 'wp_footer'] as const

/**
 * The hooks that a sandboxed extension may use; `*` stands for any text. All are asynchronous. Others are synchronous, pass secrets such as
 * passwords and reset keys, or decide what users may do.
 */
export const SANDBOX_FILTERS = [
  ...['content_save_pre', 'excerpt_save_pre', 'title_save_pre', 'wp_insert_post_empty_content'],
  ...PAGE_FILTERS,
  ...['robots_txt', 'read_post_caps', 'pre_comment_approved', 'preprocess_comment', 'speed_preload_urls'],
  ...['wp_privacy_personal_data_exporters', 'wp_privacy_personal_data_erasers', 'wp_add_privacy_policy_content'],
] as const

export const SANDBOX_ACTIONS = [
  ...PAGE_ACTIONS,
  ...['init', 'permalink_structure_changed'],
  ...['save_post', 'save_post_*', 'post_updated', 'transition_post_status', 'publish_*', 'wp_insert_post'],
  ...['wp_after_insert_post', 'publish_future_post', 'before_delete_post', 'deleted_post', 'trashed_post'],
  ...['untrashed_post', 'post_stuck', 'post_unstuck', 'add_attachment', 'attachment_updated', 'delete_attachment'],
  ...['comment_post', 'edit_comment', 'deleted_comment', 'trashed_comment', 'transition_comment_status'],
  ...['created_term', 'edited_term', 'saved_term', 'delete_term', 'set_object_terms', 'wp_update_nav_menu'],
  ...['added_post_meta', 'updated_post_meta', 'deleted_post_meta', 'import_start', 'import_end'],
  ...['activated_plugin', 'deactivated_plugin', 'speed_purged', 'backup_completed', 'restore_completed'],
] as const

/** `save_post_*` as a type: `save_post_${string}`. */
type Named<Pattern extends string> = Pattern extends `${infer Start}*` ? `${Start}${string}` : Pattern

export type SandboxFilterName = Named<(typeof SANDBOX_FILTERS)[number]>
/** The two actions for the extension's own settings too. */
export type SandboxActionName =
  | Named<(typeof SANDBOX_ACTIONS)[number]>
  | `${string}_settings_update:${'before' | 'after'}`

/** Whether a hook renders pages, which are shown without an extension that is too busy. Other hooks decide or store something. */
export function isPageHook(hook: string): boolean {
  const rendering: readonly string[] = [...PAGE_FILTERS, ...PAGE_ACTIONS]
  return rendering.includes(hook)
}

/** Why a sandboxed extension may not use a hook; `undefined` if it may. */
export function hookProblem(extension: string, type: 'action' | 'filter', hook: string): string | undefined {
  if (hook === `${extension}_settings_update:after` || hook === `${extension}_settings_update:before`) return undefined
  const allowed: readonly string[] = type === 'filter' ? SANDBOX_FILTERS : SANDBOX_ACTIONS
  if (allowed.some((pattern) => matches(pattern, hook))) return undefined
  const similar = allowed.find((one) => isTypo(hook, one))
  return similar === undefined
    ? `The ${type} ${hook} cannot be used in a sandbox: it does not exist, is synchronous, passes secrets, or decides what users may do.`
    : `A sandbox has no ${type} ${hook}. Did you mean ${similar}?`
}

/** Whether a letter is missing, added, or replaced, or two neighbors are swapped. */
function isTypo(given: string, name: string): boolean {
  let start = 0
  while (start < name.length && given[start] === name[start]) start++
  const [rest, other] = [given.slice(start), name.slice(start)]
  const isSwapped = rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2)
  return isSwapped || rest.slice(1) === other.slice(1) || rest === other.slice(1) || rest.slice(1) === other
}

function matches(pattern: string, hook: string): boolean {
  return pattern.endsWith('*') ? hook.startsWith(pattern.slice(0, -1)) : pattern === hook
}
