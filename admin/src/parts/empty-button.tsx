import { Button, Group } from '@mantine/core'
import { useChange } from '../api/query.ts'
import { change, readList } from '../api/rest.ts'
import { __, _n, sprintf } from '../i18n.ts'
import { confirm } from './confirm.tsx'
import { each } from './each.ts'
import { formatNumber } from './format.ts'

interface EmptyButtonProps {
  /** Route of the list: `wp/v2/posts` */
  readonly path: string
  readonly status: 'trash' | 'spam'
  /** How many items there are; without any, the button is hidden. */
  readonly count: number
  /** Path prefixes whose responses are fetched again. */
  readonly invalidates: readonly string[]
  readonly onDone: () => void
}

const AT_ONCE = 100

/** Permanently deletes everything in the trash or in spam, not only what the page of the list shows. */
export function EmptyButton({ path, status, count, invalidates, onDone }: EmptyButtonProps) {
  const label = status === 'trash' ? __('Empty trash', 'pentad') : __('Empty spam', 'pentad')
  const empty = useChange(
    async () =>
      each(await idsOf(path, status), (id) =>
        change('DELETE', `${path}/${id}`, undefined, { query: { force: true, _fields: 'deleted' } }),
      ),
    {
      invalidates,
      done: (deleted) =>
        sprintf(
          _n('%s item deleted permanently.', '%s items deleted permanently.', deleted, 'pentad'),
          formatNumber(deleted),
        ),
    },
  )
  async function ask(): Promise<void> {
    const isSure = await confirm({
      title: label,
      body: sprintf(
        _n(
          '%s item will be permanently deleted. This can’t be undone.',
          '%s items will be permanently deleted. This can’t be undone.',
          count,
          'pentad',
        ),
        formatNumber(count),
      ),
      confirm: __('Delete permanently', 'pentad'),
      isDestructive: true,
    })
    if (isSure) empty.mutate(undefined, { onSettled: onDone })
  }
  if (count === 0 && !empty.isPending) return null
  return (
    <Group>
      <Button size="xs" variant="light" color="red" loading={empty.isPending} onClick={() => void ask()}>
        {label}
      </Button>
    </Group>
  )
}

/** Read before any is deleted, as pages of the list move while it gets shorter. */
async function idsOf(path: string, status: string): Promise<readonly number[]> {
  const ids: number[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const listed = await readList<{ readonly id: number }>(path, {
      ...{ context: 'edit', status, page, per_page: AT_ONCE, orderby: 'id', order: 'asc', _fields: 'id' },
    })
    ids.push(...listed.items.map(({ id }) => id))
    pages = listed.pages
  }
  return ids
}
