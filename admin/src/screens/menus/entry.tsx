import { ActionIcon, Badge, Box, Group, Menu, Text } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconGripVertical,
  IconIndentDecrease,
  IconIndentIncrease,
} from '@tabler/icons-react'
import type { DragEvent, KeyboardEvent } from 'react'
import { __, sprintf } from '../../i18n.ts'
import { idle } from '../../parts/idle.ts'
import { plainText } from '../../parts/plain-text.ts'
import classes from './entry-list.module.css'
import type { MenuItemInfo } from './menu.ts'
import { moveAmong, nest, type OutlineEntry } from './outline.ts'

interface EntryProps {
  readonly item: MenuItemInfo
  readonly depth: number
  readonly outline: readonly OutlineEntry[]
  readonly at: number
  readonly isDragged: boolean
  readonly isOver: boolean
  /** @param said announced to screen readers */
  readonly onArrange: (wanted: OutlineEntry[] | undefined, said: string) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
  readonly onDragStart: (event: DragEvent) => void
  readonly onDragOver: (event: DragEvent) => void
  readonly onDrop: (event: DragEvent) => void
  readonly onDragEnd: () => void
}

/** A menu item with its actions. */
export function Entry(props: EntryProps) {
  const { item, depth, outline, at, isDragged, isOver, onArrange, onEdit, onRemove } = props
  const name = plainText(item.title.rendered) || __('(no title)', 'pentad')
  const moves = [
    {
      key: 'ArrowUp',
      Icon: IconArrowUp,
      label: __('Move “%s” up', 'pentad'),
      wanted: moveAmong(outline, at, -1),
      said: __('%s moved up.', 'pentad'),
    },
    {
      key: 'ArrowDown',
      Icon: IconArrowDown,
      label: __('Move “%s” down', 'pentad'),
      wanted: moveAmong(outline, at, 1),
      said: __('%s moved down.', 'pentad'),
    },
    {
      key: 'ArrowLeft',
      Icon: IconIndentDecrease,
      label: __('Move “%s” out one level', 'pentad'),
      wanted: nest(outline, at, -1),
      said: __('%s moved out one level.', 'pentad'),
    },
    {
      key: 'ArrowRight',
      Icon: IconIndentIncrease,
      label: __('Move “%s” under the previous item', 'pentad'),
      wanted: nest(outline, at, 1),
      said: __('%s moved under the previous item.', 'pentad'),
    },
  ]
  function onKeyDown(event: KeyboardEvent): void {
    if (!event.altKey) return
    const move = moves.find(({ key }) => key === event.key)
    if (!move) return
    event.preventDefault()
    onArrange(move.wanted, sprintf(move.said, name))
  }
  return (
    <li
      className={classes.entry}
      style={{ marginInlineStart: `calc(${depth} * min(1.5rem, 4vw))` }}
      data-over={isOver || undefined}
      data-dragged={isDragged || undefined}
      draggable
      onKeyDown={onKeyDown}
      onDragStart={props.onDragStart}
      onDragOver={props.onDragOver}
      onDrop={props.onDrop}
      onDragEnd={props.onDragEnd}
    >
      <Group justify="space-between" wrap="nowrap" px="xs" py={6} gap="xs">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Box visibleFrom="xs" c="dimmed" className={classes.handle} lh={0}>
            <IconGripVertical size={16} aria-hidden />
          </Box>
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600} truncate>
              <bdi>{name}</bdi>
            </Text>
            <Group gap={6} wrap="nowrap">
              <Text size="xs" c="dimmed" truncate>
                {item.type_label}
              </Text>
              {item.invalid && (
                <Badge size="xs" color="red" variant="light">
                  {__('No link', 'pentad')}
                </Badge>
              )}
            </Group>
          </div>
        </Group>
        <Group gap={2} wrap="nowrap">
          {moves.map(({ key, Icon, label, wanted, said }) => (
            <ActionIcon
              key={key}
              variant="subtle"
              size="md"
              visibleFrom="xs"
              aria-label={sprintf(label, name)}
              {...idle(wanted === undefined)}
              onClick={() => onArrange(wanted, sprintf(said, name))}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          ))}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" aria-label={sprintf(__('Actions for “%s”', 'pentad'), name)}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onEdit}>{__('Edit', 'pentad')}</Menu.Item>
              {moves.map(({ key, Icon, label, wanted, said }) => (
                <Menu.Item
                  key={key}
                  hiddenFrom="xs"
                  disabled={wanted === undefined}
                  leftSection={<Icon size={14} aria-hidden />}
                  onClick={() => onArrange(wanted, sprintf(said, name))}
                >
                  {sprintf(label, name)}
                </Menu.Item>
              ))}
              <Menu.Item c="var(--mantine-color-error)" onClick={onRemove}>
                {__('Remove from menu', 'pentad')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
    </li>
  )
}
