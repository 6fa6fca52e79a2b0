import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useList } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __ } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { formatAgo } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from './card.tsx'

type Draft = Pick<Responses['Posts'], 'id' | 'title' | 'modified_gmt' | 'status'>

/** Recent drafts; editors see those of all users. */
export function Drafts() {
  const author = can('edit_others_posts') ? undefined : pageData.user.id
  const drafts = useList<Draft>('wp/v2/posts', {
    ...{ context: 'edit', status: 'draft,pending', orderby: 'modified', per_page: 5, author },
    _fields: 'id,title,modified_gmt,status',
  })
  return (
    <Card title={__('Drafts', 'pentad')} to="/posts?status=draft">
      <Loaded query={drafts} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {__('No drafts.', 'pentad')}{' '}
              <Anchor component={Link} to="/posts/new" size="sm">
                {__('Write a post', 'pentad')}
              </Anchor>
            </Text>
          ) : (
            <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {items.map(({ id, title, modified_gmt }) => (
                <Group key={id} component="li" justify="space-between" wrap="nowrap">
                  <Anchor component={Link} to={`/posts/${id}`} size="sm" truncate>
                    {title.raw || __('(no title)', 'pentad')}
                  </Anchor>
                  <Text size="xs" c="dimmed" flex="none">
                    {formatAgo(modified_gmt)}
                  </Text>
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  )
}
