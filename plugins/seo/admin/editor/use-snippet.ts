import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ContentType, Edited } from 'pentad/admin'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { change } from 'pentad/admin/api/rest.ts'

/** The response of `seo/v1/snippet`. */
export type Snippet = Responses['POST /seo/v1/snippet']

/** The snippet of the post with unsaved changes, requested after a pause in typing. */
export function useSnippet(type: ContentType, { fields, post }: Edited): UseQueryResult<Snippet> {
  const { title, content, excerpt, meta } = fields
  const own = Object.fromEntries(Object.entries(meta).filter(([key]) => key.startsWith('_seo_')))
  const [asked] = useDebouncedValue(JSON.stringify({ title, content, excerpt, meta: own }), 700)
  return useQuery({
    queryKey: ['seo/v1/snippet', post?.id, type.slug, asked],
    queryFn: ({ signal }) => {
      const body = { ...(post ? { postId: post.id } : { type: type.slug }), ...JSON.parse(asked) }
      return change<Snippet>('POST', 'seo/v1/snippet', body, { signal })
    },
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
}

/** The value of an SEO field as text. */
export function seoText({ fields }: Edited, key: string): string {
  const value = fields.meta[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
