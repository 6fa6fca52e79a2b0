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

/** Pixels to the side that make an entry one step deeper while it is dragged. */
const STEP = 28

/** The entries of a menu as they stand below each other, to be put into another order. */
export function EntryList({ items, onEdit }: { items: readonly MenuItemInfo[]; onEdit: (item: MenuItemInfo) => void }) {
  const [dragged, setDragged] = useState<{ at: number; x: number }>()
  const [over, setOver] = useState<number>()
  /** What was just asked for, until the server shows it. */
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
    // An entry that moves takes its place in the page anew, and would lose the focus.
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
    if (await confirmDelete(name, __('The linked content is kept. Subitems move up one level.', 'pentad'))) {
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
