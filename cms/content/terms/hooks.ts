import type { Term } from '../types.ts'

/**
 * What the families `delete_…`, `edit_…`, and `saved_…` cannot promise: `delete_post` and `saved_term` belong to them too.
 * (`delete_post_tag` and `edit_post_tag` cannot be distinguished from hooks of a type called `tag`.)
 */
interface TermHooks {
  delete_category: [termId: number, termTaxonomyId: number, term: Term, postIds: readonly number[]]
  edit_category: [termId: number, termTaxonomyId: number, args: object]
  saved_category: [termId: number, termTaxonomyId: number, update: boolean, args: object]
  saved_post_tag: [termId: number, termTaxonomyId: number, update: boolean, args: object]
}

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions extends TermHooks {
    /**
     * Fires after the terms of a post in one taxonomy are set, even if they do not change.
     * @param postId ID of the post.
     * @param terms The term IDs passed in.
     * @param termIds The current term IDs (in WordPress, term taxonomy IDs; here they are the same numbers).
     * @param taxonomy Name of the taxonomy, such as `category`.
     * @param append Always `false`: terms are replaced.
     * @param oldTermIds The previous term IDs.
     * @since 0.1.0
     */
    set_object_terms: [
      postId: number,
      terms: readonly number[],
      termIds: readonly number[],
      taxonomy: string,
      append: boolean,
      oldTermIds: readonly number[],
    ]
    /**
     * Fires after a term is created, before `created_term`.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param taxonomy Its taxonomy.
     * @param args The arguments: name, slug, description, parent.
     * @since 0.1.0
     */
    create_term: [termId: number, termTaxonomyId: number, taxonomy: string, args: object]
    /**
     * Like `create_term`, but for one taxonomy: `create_category`, `create_post_tag`.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param args The arguments: name, slug, description, parent.
     * @since 0.1.0
     */
    [create: `create_${string}`]: [termId: number, termTaxonomyId: number, args: unknown, ...rest: unknown[]]
    /**
     * Fires before a term is updated. Throw a `RestError` to cancel.
     *
     * @param termId ID of the term.
     * @param taxonomy Its taxonomy.
     * @param args The fields to change; the same object that `edited_term` receives.
     * @since 0.1.0
     */
    edit_terms: [termId: number, taxonomy: string, args: object]

    /**
     * Fires after a term is changed, before `edited_term`.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param taxonomy Its taxonomy.
     * @param args The arguments: the fields to change.
     * @since 0.1.0
     */
    edit_term: [termId: number, termTaxonomyId: number, taxonomy: string, args: object]
    /**
     * Like `edit_term`, but for one taxonomy: `edit_category`, `edit_post_tag`.
     * @param termId ID of the term.
     * @param rest The term taxonomy ID (the same number as `termId`), and the arguments.
     * @since 0.1.0
     */
    [edit: `edit_${string}`]: [termId: number, ...rest: unknown[]]
    /**
     * Fires after a term is created.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param taxonomy Its taxonomy.
     * @param args The arguments: name, slug, description, parent.
     * @since 0.1.0
     */
    created_term: [termId: number, termTaxonomyId: number, taxonomy: string, args: object]
    /**
     * Fires after a term is changed.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param taxonomy Its taxonomy.
     * @param args The arguments: the fields to change.
     * @since 0.1.0
     */
    edited_term: [termId: number, termTaxonomyId: number, taxonomy: string, args: object]
    /**
     * Fires after a term is deleted. Its children have already been moved up to its parent.
     * @param termId ID of the deleted term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param taxonomy Its taxonomy.
     * @param term The term before it was deleted.
     * @param postIds IDs of the posts that had the term.
     * @since 0.1.0
     */
    delete_term: [termId: number, termTaxonomyId: number, taxonomy: string, term: Term, postIds: readonly number[]]
    /**
     * Fires before a term is deleted. Throw a `RestError` to cancel.
     * @param termId ID of the term.
     * @param taxonomy Its taxonomy.
     * @since 0.1.0
     */
    pre_delete_term: [termId: number, taxonomy: string]
    /**
     * Fires after a term is created or updated, after `created_term` or `edited_term`.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param taxonomy Its taxonomy.
     * @param update Whether it existed before.
     * @param args The arguments.
     * @since 0.1.0
     */
    saved_term: [termId: number, termTaxonomyId: number, taxonomy: string, update: boolean, args: object]
    /**
     * Like `created_term`, but for one taxonomy: `created_category`, `created_post_tag`.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param args The arguments: name, slug, description, parent.
     * @since 0.1.0
     */
    [created: `created_${string}`]: [termId: number, termTaxonomyId: number, args: unknown, ...rest: unknown[]]
    /**
     * Like `edited_term`, but for one taxonomy: `edited_category`, `edited_post_tag`.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param args The arguments: the fields to change.
     * @since 0.1.0
     */
    [edited: `edited_${string}`]: [termId: number, termTaxonomyId: number, args: unknown, ...rest: unknown[]]
    /**
     * Like `saved_term`, but for one taxonomy: `saved_category`, `saved_post_tag`.
     * @param termId ID of the term.
     * @param termTaxonomyId The same number as `termId`; in WordPress the two can differ.
     * @param rest Whether it existed before, and the arguments.
     * @since 0.1.0
     */
    [saved: `saved_${string}`]: [termId: number, termTaxonomyId: number, ...rest: unknown[]]
    /**
     * Like `delete_term`, but for one taxonomy: `delete_category`, `delete_post_tag`.
     * @param termId ID of the deleted term.
     * @param rest The term taxonomy ID (the same number as `termId`), the deleted term, and the IDs of its posts.
     * @since 0.1.0
     */
    [deleted: `delete_${string}`]: [termId: number, ...rest: unknown[]]
  }
}
