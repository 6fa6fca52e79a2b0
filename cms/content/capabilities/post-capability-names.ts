/**
 * The capabilities of a post type by purpose: WordPress's `get_post_type_capabilities`. `edit_post`, `read_post` and `delete_post` are meta
 * capabilities; `read` is required for its published posts.
 */
export interface PostCapabilityNames {
  readonly edit_post: string
  readonly read_post: string
  readonly delete_post: string
  readonly edit_posts: string
  readonly edit_others_posts: string
  readonly delete_posts: string
  readonly publish_posts: string
  readonly read_private_posts: string
  readonly read: string
  readonly delete_private_posts: string
  readonly delete_published_posts: string
  readonly delete_others_posts: string
  readonly edit_private_posts: string
  readonly edit_published_posts: string
  /** Default: the same as `edit_posts`. */
  readonly create_posts: string
}

/**
 * Builds the capabilities of a type: for `['book', 'books']`, `edit_posts` is `edit_books`.
 * @param own capabilities that the type names explicitly
 */
export function postCapabilityNames(
  [singular, plural]: readonly [singular: string, plural: string],
  own: Partial<PostCapabilityNames> = {},
): PostCapabilityNames {
  return {
    edit_post: `edit_${singular}`,
    read_post: `read_${singular}`,
    delete_post: `delete_${singular}`,
    edit_posts: `edit_${plural}`,
    edit_others_posts: `edit_others_${plural}`,
    delete_posts: `delete_${plural}`,
    publish_posts: `publish_${plural}`,
    read_private_posts: `read_private_${plural}`,
    read: 'read',
    delete_private_posts: `delete_private_${plural}`,
    delete_published_posts: `delete_published_${plural}`,
    delete_others_posts: `delete_others_${plural}`,
    edit_private_posts: `edit_private_${plural}`,
    edit_published_posts: `edit_published_${plural}`,
    create_posts: own.edit_posts ?? `edit_${plural}`,
    ...own,
  }
}
