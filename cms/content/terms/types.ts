import type { Meta } from '../meta/types.ts'

export interface Term {
  readonly id: number
  readonly taxonomy: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly parentId: number
  readonly count: number
  /** Path of its archive, `/category/travel/europe/`. */
  readonly path: string
}

export interface NewTerm {
  readonly name: string
  readonly slug?: string | undefined
  readonly description?: string | undefined
  readonly parentId?: number | undefined
  /** The requested ID; if it is taken, a different one is used. */
  readonly id?: number | undefined
  readonly meta?: Meta | undefined
}

export interface TermQuery {
  readonly taxonomy: string
  readonly include?: readonly number[] | undefined
  readonly exclude?: readonly number[] | undefined
  readonly slugs?: readonly string[] | undefined
  readonly parent?: number | undefined
  /** Terms of this post. */
  readonly postId?: number | undefined
  readonly search?: string | undefined
  readonly hideEmpty?: boolean | undefined
  readonly orderBy?:
    | 'id'
    | 'name'
    | 'slug'
    | 'count'
    | 'description'
    | 'term_group'
    | 'include'
    | 'include_slugs'
    | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface Terms {
  get(id: number): Promise<Term | undefined>
  getMany(ids: readonly number[]): Promise<Map<number, Term>>
  getBySlug(taxonomy: string, slug: string): Promise<Term | undefined>
  query(query: TermQuery): Promise<{ items: Term[]; total: number }>
  /** @throws RestError `term_exists` */
  insert(taxonomy: string, term: NewTerm): Promise<Term>
  /** @throws RestError `rest_term_invalid`, `duplicate_term_slug` */
  update(
    id: number,
    changes: {
      readonly name?: string | undefined
      readonly slug?: string | undefined
      readonly description?: string | undefined
      readonly parentId?: number | undefined
    },
  ): Promise<Term>
  delete(id: number): Promise<void>
  /** Term ids of each post, in order, by taxonomy. */
  ofPosts(postIds: readonly number[]): Promise<Map<number, Record<string, number[]>>>
  /** Replaces the post's terms of that taxonomy and corrects the counts; fires `set_object_terms`. */
  setForPost(postId: number, taxonomy: string, termIds: readonly number[]): Promise<void>
}
