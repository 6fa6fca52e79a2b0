import { VisuallyHidden } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { confirmDelete } from '../../parts/confirm.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Entry } from './entry.tsx'
import classes from './entry-list.module.css'
import { ITEMS, type MenuItemInfo } from './menu.ts'
import { moveBranch, type OutlineEntry, toOutline } from './outline.ts'
import { savePlaces } from './save-places.ts'

/** Horizontal drag distance in pixels per level. */
const STEP = 28

/** The items of a menu as a sortable tree. */
export function EntryList({ items, onEdit }: { items: readonly MenuItemInfo[]; onEdit: (item: MenuItemInfo) => void }) {
  const [dragged, setDragged] = useState<{ at: number; x: number }>()
  const [over, setOver] = useState<number>()
  /** The order just requested, until the server confirms it. */
  const [asked, setAsked] = useState<readonly OutlineEntry[]>()
  const [said, setSaid] = useState('')
  const byId = new Map(items.map((item) => [item.id, item]))
  const outline = (asked ?? toOutline(items)).filter(({ id }) => byId.has(id))
  const save = useChange((wanted: readonly OutlineEntry[]) => savePlaces(items, wanted), { invalidates: [ITEMS] })
  const remove = useChange((id: number) => change('DELETE', `${ITEMS}/${id}`, undefined, { query: { force: true } }), {
    invalidates: [ITEMS],
    done: __('Menu item removed.', 'pentad'),
  })
  function arrange(wanted: readonly OutlineEntry[] | undefined, message: string): void {
    if (!wanted) return
    // A moved item is mounted again and would lose focus.
    const focused = document.activeElement
    requestAnimationFrame(() => {
      if (focused instanceof HTMLElement && document.activeElement !== focused) focused.focus()
    })
    setAsked(wanted)
    setSaid(message)
    save.mutate(wanted, { onSettled: () => setAsked(undefined) })
  }
  async function askAndRemove(item: MenuItemInfo): Promise<void> {
    const name = plainText(item.title.rendered)
    if (
      await confirmDelete(
        name,
        __('The linked content will not be deleted. Subitems will move up one level.', 'pentad'),
      )
    ) {
      remove.mutate(item.id)
    }
  }
  function drop(event: DragEvent, to: number): void {
    event.preventDefault()
    if (dragged) {
      const depth = (outline[dragged.at]?.depth ?? 0) + Math.round((event.clientX - dragged.x) / STEP)
      arrange(moveBranch(outline, dragged.at, to, Math.max(0, depth)), __('Menu item moved.', 'pentad'))
    }
    setDragged(undefined)
    setOver(undefined)
  }
  if (items.length === 0) {
    return (
      <EmptyState title={__('This menu is empty', 'pentad')}>
        {__('Use “Add menu items” to add pages, posts, categories, or custom links.', 'pentad')}
      </EmptyState>
    )
  }
  return (
    <>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
      <ol className={classes.list} aria-label={__('Menu items', 'pentad')}>
        {outline.map(({ id, depth }, at) => {
          const item = byId.get(id)
          if (!item) return null
          return (
            <Entry
              key={id}
              {...{ item, depth, outline, at }}
              isDragged={dragged?.at === at}
              isOver={over === at}
              onArrange={arrange}
              onEdit={() => onEdit(item)}
              onRemove={() => askAndRemove(item)}
              onDragStart={(event) => setDragged({ at, x: event.clientX })}
              onDragOver={(event) => {
                if (!dragged) return
                event.preventDefault()
                setOver(at)
              }}
              onDrop={(event) => drop(event, at)}
              onDragEnd={() => {
                setDragged(undefined)
                setOver(undefined)
              }}
            />
          )
        })}
        {dragged && (
          <li
            style={{ minHeight: 32 }}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => drop(event, outline.length)}
          />
        )}
      </ol>
    </>
  )
}
