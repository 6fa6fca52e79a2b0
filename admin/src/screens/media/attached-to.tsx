import { Anchor, Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __ } from '../../i18n.ts'
import { pathOfType } from '../content/types.ts'

type Found = Responses['SearchResults']

/** The post that a file is attached to, of any type: looked up by id through the search route. */
export function AttachedTo({ id }: { id: number | null }) {
  const found = useRead<readonly Found[]>('wp/v2/search', { include: id ?? 0, per_page: 1 }, { enabled: id !== null })
  if (id === null) return <>{__('(Unattached)', 'pentad')}</>
  if (found.isPending) return <Skeleton height={14} width="60%" />
  const post = found.data?.[0]
  if (!post) return <>{__('An unpublished post', 'pentad')}</>
  return (
    <Anchor component={Link} to={`/${pathOfType(post.subtype)}/${post.id}`}>
      {post.title || __('(no title)', 'pentad')}
    </Anchor>
  )
}
