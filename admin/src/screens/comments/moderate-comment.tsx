import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { useChange, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { formatAgo } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { COMMENTS, COUNTS, type CommentItem, type CommentStatus } from './comment.ts'
import { STATUSES } from './comment-columns.tsx'

const ACTIONS: readonly { readonly name: string; readonly to: CommentStatus; readonly label: string }[] = [
  { name: 'approve', to: 'approved', label: __('Approve', 'pentad') },
  { name: 'spam', to: 'spam', label: __('Mark as spam', 'pentad') },
  { name: 'trash', to: 'trash', label: __('Move to trash', 'pentad') },
]

/**
 * One comment, which a moderator opens from an email: `?action=approve`, `spam` or `trash` is the suggested action. Opening the
 * link changes nothing, because mail programs open links too.
 */
export default function ModerateComment() {
  const id = Number(useParams().id)
  const comment = useRead<CommentItem>(`${COMMENTS}/${id}`, { context: 'edit', _embed: 'up' })
  return (
    <Page title={__('Moderate comment', 'pentad')}>
      <Loaded query={comment} lines={6}>
        {(known) => <Moderation comment={known} />}
      </Loaded>
    </Page>
  )
}

function Moderation({ comment }: { comment: CommentItem }) {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const moderate = useChange((to: CommentStatus) => change('POST', `${COMMENTS}/${comment.id}`, { status: to }), {
    invalidates: [COMMENTS, COUNTS],
    done: __('The comment was updated.', 'pentad'),
  })
  const { author_name: name, author_email: email, author_ip: address, status } = comment
  const post = plainText(comment._embedded?.up?.[0]?.title?.rendered ?? '')
  return (
    <Paper withBorder p="md" maw={720}>
      <Stack>
        <Group justify="space-between">
          <Text fw={600}>
            <bdi>{name || __('Anonymous', 'pentad')}</bdi>
          </Text>
          <Badge variant="light" color={STATUSES[status].color}>
            {STATUSES[status].label}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed">
          {[email, address, formatAgo(comment.date_gmt)].filter((text) => text !== '').join(' · ')}
        </Text>
        <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          <bdi>{plainText(comment.content.rendered)}</bdi>
        </Text>
        <Anchor size="sm" href={comment.link}>
          <bdi>{post || __('View', 'pentad')}</bdi>
        </Anchor>
        <Group>
          {ACTIONS.filter(({ to }) => to !== status).map(({ name: action, to, label }) => (
            <Button
              key={action}
              variant={query.get('action') === action ? 'filled' : 'default'}
              loading={moderate.isPending && moderate.variables === to}
              onClick={() => moderate.mutate(to, { onSuccess: () => navigate('/comments') })}
            >
              {label}
            </Button>
          ))}
          <Anchor component={Link} to="/comments" size="sm">
            {__('All comments', 'pentad')}
          </Anchor>
        </Group>
      </Stack>
    </Paper>
  )
}
