import { Checkbox, Text, UnstyledButton } from '@mantine/core'
import { __, sprintf } from '../../i18n.ts'
import type { Selection } from '../../parts/data-table.tsx'
import classes from './media-grid.module.css'
import { type MediaItem, nameOf } from './media-item.ts'
import { Thumbnail } from './thumbnail.tsx'

interface MediaGridProps {
  readonly items: readonly MediaItem[]
  readonly onOpen: (item: MediaItem) => void
  /** Adds checkboxes to select several files. */
  readonly selection?: Selection
  /** Ids of the files selected in a picker. */
  readonly picked?: readonly number[]
}

export function MediaGrid({ items, onOpen, selection, picked }: MediaGridProps) {
  return (
    <ul className={classes.grid}>
      {items.map((item) => {
        const name = nameOf(item)
        return (
          <li key={item.id} className={classes.cell}>
            <UnstyledButton
              className={classes.button}
              onClick={() => onOpen(item)}
              aria-pressed={picked?.includes(item.id)}
              aria-label={name}
            >
              <div className={classes.picture}>
                <Thumbnail item={item} />
              </div>
              <Text size="xs" truncate px={6} py={4}>
                <bdi>{name}</bdi>
              </Text>
            </UnstyledButton>
            {selection && (
              <Checkbox
                classNames={{ root: classes.choice, input: classes.box }}
                aria-label={sprintf(__('Select “%s”', 'pentad'), name)}
                checked={selection.ids.includes(item.id)}
                onChange={({ currentTarget: { checked } }) =>
                  selection.onChange(
                    checked ? [...selection.ids, item.id] : selection.ids.filter((id) => id !== item.id),
                  )
                }
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
