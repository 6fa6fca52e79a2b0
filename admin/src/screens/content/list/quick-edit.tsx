import { Modal, Select, Stack, TextInput } from '@mantine/core'
import { useChange } from '../../../api/query.ts'
import { change } from '../../../api/rest.ts'
import { __, sprintf } from '../../../i18n.ts'
import { can } from '../../../page-data.ts'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { FormButtons } from '../../../parts/form-buttons.tsx'
import { useFields } from '../../../parts/use-fields.ts'
import { statusName } from '../statuses.ts'
import type { ContentType } from '../types.ts'
import { nameOf, type PostRow } from './post-row.ts'

interface QuickEditProps {
  readonly row: PostRow
  readonly type: ContentType
  readonly onClose: () => void
}

/** Edits title, slug, status, and date without leaving the list. A newer version is never overwritten. */
export function QuickEdit({ row, type, onClose }: QuickEditProps) {
  const { fields, set, field } = useFields({
    title: row.title.raw,
    slug: row.slug,
    status: row.status,
    date: row.date.slice(0, 16),
  })
  const save = useChange(
    () => {
      const { date, ...others } = fields
      const isMoved = date !== '' && date !== row.date.slice(0, 16)
      const body = { ...others, ...(isMoved && { date: `${date}:00` }), modified_gmt: row.modified_gmt }
      return change('POST', `wp/v2/${type.rest_base}/${row.id}`, body, { query: { _fields: 'id' } })
    },
    {
      invalidates: [`wp/v2/${type.rest_base}`, 'host/v1/post-counts'],
      done: sprintf(__('“%s” updated.', 'pentad'), fields.title),
      quiet: true,
    },
  )
  const mayPublish = can(type.capabilities.publish_posts ?? 'publish_posts')
  const statuses = ['draft', 'pending', ...(mayPublish ? ['publish', 'future', 'private'] : [])]
  const data = [...new Set([row.status, ...statuses])].map((value) => ({ value, label: statusName(value) }))
  return (
    <Modal opened onClose={onClose} title={sprintf(__('Quick edit “%s”', 'pentad'), nameOf(row))}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(undefined, { onSuccess: onClose })
        }}
      >
        <Stack>
          {save.error && <ErrorNote error={save.error} />}
          <TextInput label={__('Title', 'pentad')} data-autofocus {...field('title')} />
          <TextInput label={__('Slug', 'pentad')} {...field('slug')} />
          <Select
            label={__('Status', 'pentad')}
            data={data}
            value={fields.status}
            allowDeselect={false}
            onChange={(status) => set({ status: status ?? row.status })}
          />
          {mayPublish && (
            <TextInput
              type="datetime-local"
              label={__('Date', 'pentad')}
              description={__('In the site’s time zone', 'pentad')}
              {...field('date')}
            />
          )}
          <FormButtons label={__('Save', 'pentad')} isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
