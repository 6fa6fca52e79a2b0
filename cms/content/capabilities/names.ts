/** Capabilities of a post type: `PostTypeCapabilities<'book', 'books'>` for `['book', 'books']`. */
export type PostTypeCapabilities<Singular extends string, Plural extends string> = Readonly<
  Record<
    | `edit_${'' | 'others_' | 'published_' | 'private_'}${Plural}`
    | `delete_${'' | 'others_' | 'published_' | 'private_'}${Plural}`
    | `publish_${Plural}`
    | `read_private_${Plural}`,
    true
  > &
    Record<`${'edit' | 'delete' | 'read'}_${Singular}`, [postId: number]>
>

/** A post, term or comment, and the field of it, for the `auth_<kind>_meta_<key>` filter. */
type MetaField = [id: number] | [id: number, metaKey: string]

declare module '../../../core/auth/capability-names.ts' {
  interface Capabilities extends PostTypeCapabilities<'post', 'posts'>, PostTypeCapabilities<'page', 'pages'> {
    upload_files: true
    moderate_comments: true
    manage_categories: true
    edit_categories: true
    delete_categories: true
    assign_categories: true
    manage_post_tags: true
    edit_post_tags: true
    delete_post_tags: true
    assign_post_tags: true
    manage_links: true

    manage_privacy_options: true
    export_others_personal_data: true
    erase_others_personal_data: true
    setup_network: true
    import: true
    export: true
    edit_dashboard: true
    edit_files: true
    update_php: true
    update_https: true
    update_languages: true
    install_languages: true
    delete_site: true

    switch_themes: true
    resume_themes: true
    edit_themes: true
    install_themes: true
    upload_themes: true
    update_themes: true
    delete_themes: true
    edit_theme_options: true
    edit_css: true
    customize: true

    publish_post: [postId: number]
    edit_post_meta: MetaField
    delete_post_meta: MetaField
    add_post_meta: MetaField
    edit_term: [termId: number]
    delete_term: [termId: number]
    assign_term: [termId: number]
    edit_term_meta: MetaField
    delete_term_meta: MetaField
    add_term_meta: MetaField
    edit_comment: [commentId: number]
    edit_comment_meta: MetaField
    delete_comment_meta: MetaField
    add_comment_meta: MetaField
    resume_theme: [theme: string]
  }
}
