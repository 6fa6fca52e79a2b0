import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useChange } from '../../../../api/query.ts'
import { change } from '../../../../api/rest.ts'
import { __, sprintf } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import { formatAgo } from '../../../../parts/format.ts'
import { Section } from '../../../../parts/section.tsx'
import { statusName } from '../../statuses.ts'
import { type ContentType, pathOfType } from '../../types.ts'
import type { Edited } from '../use-edited.ts'

interface PublishProps {
  readonly type: ContentType
  readonly edited: Edited
  /** Time of the last autosave on the server. */
  readonly autosavedAt: string | undefined
}

/** Status, visibility, and date of a post. */
export function Publish({ type, edited, autosavedAt }: PublishProps) {
  const { fields, post, set } = edited
  const mayPublish = can(type.capabilities.publish_posts ?? 'publish_posts')
  const statuses = ['draft', 'pending', ...(mayPublish ? ['publish', 'private'] : [])]
  const data = [...new Set([...statuses, edited.stored.status, fields.status])]
  return (
    <Section title={__('Publishing', 'pentad')}>
      <Stack gap="sm">
        <Select
          label={__('Status', 'pentad')}
          data={data.map((value) => ({ value, label: statusName(value) }))}
          value={fields.status}
          allowDeselect={false}
          onChange={(status) => set({ status: status ?? fields.status })}
        />
        {mayPublish && type.viewable && (
          <TextInput
            type="datetime-local"
            label={__('Date', 'pentad')}
            description={__('In the site’s time zone. Pick a future date to schedule publication.', 'pentad')}
            value={fields.date.slice(0, 16)}
            onChange={({ currentTarget: { value } }) => set({ date: value === '' ? '' : `${value}:00` })}
          />
        )}
        {type.viewable && (
          <TextInput
            label={__('Password', 'pentad')}
            description={__('Visitors must enter this password to read the content.', 'pentad')}
            value={fields.password}
            maxLength={255}
            autoComplete="off"
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
        )}
        <Text size="xs" c="dimmed" aria-live="polite">
          {saveStatus(edited, autosavedAt)}
        </Text>
        {post && (
          <Group justify="space-between">
            {post.status === 'publish' && type.viewable && (
              <Anchor size="sm" href={post.link} target="_blank">
                {type.labels.view_item ?? __('View', 'pentad')}
              </Anchor>
            )}
            {post.status !== 'trash' && <MoveToTrash type={type} edited={edited} id={post.id} />}
          </Group>
        )}
      </Stack>
    </Section>
  )
}

interface MoveToTrashProps {
  readonly type: ContentType
  readonly edited: Edited
  readonly id: number
}

/** No confirmation: a post can be restored from the trash. */
function MoveToTrash({ type, edited, id }: MoveToTrashProps) {
  const navigate = useNavigate()
  const base = `wp/v2/${type.rest_base}`
  const trash = useChange(() => change('DELETE', `${base}/${id}`), {
    invalidates: [base, 'host/v1/post-counts'],
    done: __('Moved to the trash.', 'pentad'),
  })
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      disabled={edited.isDirty}
      loading={trash.isPending}
      onClick={() => trash.mutate(undefined, { onSuccess: () => navigate(`/${pathOfType(type.slug)}`) })}
    >
      {__('Move to trash', 'pentad')}
    </Button>
  )
}

function saveStatus({ isDirty, seen }: Edited, autosavedAt: string | undefined): string {
  if (isDirty && autosavedAt)
    return sprintf(__('Unsaved changes. Last autosave: %s.', 'pentad'), formatAgo(autosavedAt))
  if (isDirty) return __('Unsaved changes.', 'pentad')
  return seen ? sprintf(__('Saved %s.', 'pentad'), formatAgo(seen)) : __('Nothing to save yet.', 'pentad')
}
