import { Button, Group, Modal, NavLink, ScrollArea, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useList, useRead } from '../../../api/query.ts'
import type { Responses } from '../../../api/responses.ts'
import { __, sprintf } from '../../../i18n.ts'
import { DiffView } from '../../../parts/diff-view.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { formatAgo, formatTime } from '../../../parts/format.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import type { UserItem } from '../../users/user.ts'
import type { ContentType } from '../types.ts'
import type { Edited } from './use-edited.ts'

type Revision = Omit<Responses['PostsRevisions'], 'content' | 'excerpt'> &
  Partial<Pick<Responses['PostsRevisions'], 'content' | 'excerpt'>>

/** Compares earlier revisions of a post, and restores them. */
export function Revisions({ type, edited }: { type: ContentType; edited: Edited }) {
  const [isOpen, setOpen] = useState(false)
  const { post } = edited
  if (!post || type.supports.revisions !== true) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {__('Revisions', 'pentad')}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} size="90rem" title={__('Revisions', 'pentad')}>
        <History path={`wp/v2/${type.rest_base}/${post.id}/revisions`} edited={edited} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function History({ path, edited, onClose }: { path: string; edited: Edited; onClose: () => void }) {
  const [chosen, setChosen] = useState<number>()
  const list = useList<Pick<Revision, 'id' | 'slug' | 'author' | 'modified_gmt'>>(path, {
    ...{ context: 'edit', per_page: 100, _fields: 'id,slug,author,modified_gmt' },
  })
  const authorIds = [...new Set(list.data?.items.map(({ author }) => author))]
  const authors = useList<Pick<UserItem, 'id' | 'name'>>(
    'wp/v2/users',
    { include: authorIds.join(','), per_page: 100, _fields: 'id,name' },
    { enabled: authorIds.length > 0 },
  )
  const nameOf = (id: number) => authors.data?.items.find((user) => user.id === id)?.name
  return (
    <Loaded query={list}>
      {({ items }) => {
        if (items.length === 0) {
          return (
            <EmptyState title={__('No revisions yet', 'pentad')}>
              {__('A revision is saved each time the title, content, or excerpt changes.', 'pentad')}
            </EmptyState>
          )
        }
        const saved = items.filter((one) => !isAutosave(one))
        const shown = chosen ?? saved[1]?.id ?? items[0]?.id
        return (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <ScrollArea.Autosize
              mah={{ base: 200, sm: 600 }}
              viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': __('Revisions', 'pentad') }}
            >
              {items.map((one) => (
                <NavLink
                  key={one.id}
                  component="button"
                  type="button"
                  active={one.id === shown}
                  aria-pressed={one.id === shown}
                  label={formatTime(one.modified_gmt)}
                  description={[nameOf(one.author), one === saved[0] ? __('current version', 'pentad') : stateOf(one)]
                    .filter(Boolean)
                    .join(' · ')}
                  onClick={() => setChosen(one.id)}
                />
              ))}
            </ScrollArea.Autosize>
            {shown !== undefined && (
              <Compared key={shown} path={`${path}/${shown}`} edited={edited} onClose={onClose} />
            )}
          </SimpleGrid>
        )
      }}
    </Loaded>
  )
}

const stateOf = (one: Pick<Revision, 'slug' | 'modified_gmt'>) =>
  isAutosave(one) ? __('autosave', 'pentad') : formatAgo(one.modified_gmt)

const isAutosave = ({ slug }: Pick<Revision, 'slug'>) => slug.includes('-autosave-')

/** Compares the editor's content with a revision. */
function Compared({ path, edited, onClose }: { path: string; edited: Edited; onClose: () => void }) {
  const revision = useRead<Revision>(path, { context: 'edit' })
  const { fields, set } = edited
  return (
    <Loaded query={revision}>
      {({ title, content, excerpt, modified_gmt: at }) => {
        const texts = {
          title: title.raw,
          content: content?.raw ?? fields.content,
          excerpt: excerpt?.raw ?? fields.excerpt,
        }
        const now = { title: fields.title, content: fields.content, excerpt: fields.excerpt }
        const isSame = JSON.stringify(now) === JSON.stringify(texts)
        return (
          <Stack>
            <Group justify="space-between">
              <Text size="sm" c="dimmed">
                {__('Current version compared with this revision', 'pentad')}
              </Text>
              <Button
                size="xs"
                onClick={() => {
                  set(texts)
                  onClose()
                  notifyDone(
                    sprintf(__('Revision from %s loaded into the editor. Save to keep it.', 'pentad'), formatTime(at)),
                  )
                }}
              >
                {__('Restore this revision', 'pentad')}
              </Button>
            </Group>
            {isSame ? (
              <Text size="sm">{__('This revision is identical to the current version.', 'pentad')}</Text>
            ) : (
              <DiffView before={now} after={texts} />
            )}
          </Stack>
        )
      }}
    </Loaded>
  )
}
