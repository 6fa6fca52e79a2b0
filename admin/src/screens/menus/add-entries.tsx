import { Button, Checkbox, Group, ScrollArea, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useChange, useList, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { each } from '../../parts/each.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Section } from '../../parts/section.tsx'
import { useFields } from '../../parts/use-fields.ts'
import { ITEMS, LOCATIONS, MENUS } from './menu.ts'

type Kind = Pick<Responses['Types'], 'slug' | 'name' | 'rest_base' | 'visibility'>

/** A post has a title, a term a name. */
type Found = Pick<Responses['Posts'], 'id'> &
  Partial<Pick<Responses['Posts'], 'title'> & Pick<Responses['Categories'], 'name'>>

interface AddEntriesProps {
  readonly menuId: number
  /** Called before the lists are fetched again. */
  readonly onAdded: () => Promise<void>
}

const CHANGES = { invalidates: [ITEMS, MENUS, LOCATIONS] } as const

/** Adds menu items: pages, posts, terms, and custom links. */
export function AddEntries({ menuId, onAdded }: AddEntriesProps) {
  const types = useRead<Readonly<Record<string, Kind>>>('wp/v2/types', { context: 'edit' })
  const taxonomies = useRead<Readonly<Record<string, Kind>>>('wp/v2/taxonomies', { context: 'edit' })
  const kinds = [
    ...Object.values(types.data ?? {}).map((kind) => ({ ...kind, type: 'post_type' as const })),
    ...Object.values(taxonomies.data ?? {}).map((kind) => ({ ...kind, type: 'taxonomy' as const })),
  ]
    .filter(({ visibility }) => visibility.show_in_nav_menus)
    .sort((one, other) => Number(other.slug === 'page') - Number(one.slug === 'page'))
  return (
    <Section title={__('Add menu items', 'pentad')}>
      <Tabs variant="pills" defaultValue="page" keepMounted={false}>
        <Tabs.List>
          {kinds.map(({ slug, name }) => (
            <Tabs.Tab key={slug} value={slug}>
              {__(name, 'pentad')}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="link">{__('Custom link', 'pentad')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="link" pt="sm">
          <AddLink {...{ menuId, onAdded }} />
        </Tabs.Panel>
        {kinds.map((kind) => (
          <Tabs.Panel key={kind.slug} value={kind.slug} pt="sm">
            <AddObjects {...{ menuId, onAdded, kind }} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}

function AddLink({ menuId, onAdded }: AddEntriesProps) {
  const { fields, set, field } = useFields({ title: '', url: '' })
  const add = useChange(
    async () => {
      await change('POST', ITEMS, { menus: menuId, type: 'custom', ...fields })
      await onAdded()
    },
    { ...CHANGES, done: __('Menu item added.', 'pentad') },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(undefined, { onSuccess: () => set({ title: '', url: '' }) })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={__('URL', 'pentad')}
          description={__('A full URL, or a path on this site.', 'pentad')}
          placeholder="https:// … /contact/"
          required
          {...field('url')}
        />
        <TextInput label={__('Link text', 'pentad')} required {...field('title')} />
        <Button type="submit" loading={add.isPending} style={{ alignSelf: 'flex-start' }}>
          {__('Add to menu', 'pentad')}
        </Button>
      </Stack>
    </form>
  )
}

interface AddObjectsProps extends AddEntriesProps {
  readonly kind: Kind & { readonly type: 'post_type' | 'taxonomy' }
}

function AddObjects({ menuId, onAdded, kind }: AddObjectsProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [asked] = useDebouncedValue(search.trim(), 250)
  const list = useList<Found>(`wp/v2/${kind.rest_base}`, {
    ...{ per_page: 20, search: asked, _fields: 'id,title,name' },
    ...(kind.slug === 'page' && asked === '' && { orderby: 'title', order: 'asc' }),
  })
  const add = useChange(
    async () => {
      const body = { menus: menuId, type: kind.type, object: kind.slug }
      const count = await each(chosen, (id) => change('POST', ITEMS, { ...body, object_id: id }))
      await onAdded()
      return count
    },
    {
      ...CHANGES,
      done: (count) => sprintf(_n('%d menu item added.', '%d menu items added.', count, 'pentad'), count),
    },
  )
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        aria-label={sprintf(__('Search %s', 'pentad'), __(kind.name, 'pentad'))}
        placeholder={sprintf(__('Search %s', 'pentad'), __(kind.name, 'pentad'))}
        value={search}
        onChange={({ currentTarget: { value } }) => setSearch(value)}
      />
      <Loaded query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {__('No results found.', 'pentad')}
            </Text>
          ) : (
            <ScrollArea.Autosize mah={280} type="auto" viewportProps={{ tabIndex: 0 }}>
              <Stack gap={6} p={2}>
                {items.map(({ id, title, name }) => (
                  <Checkbox
                    key={id}
                    label={plainText(title?.rendered ?? name ?? '') || __('(no title)', 'pentad')}
                    checked={chosen.includes(id)}
                    onChange={({ currentTarget: { checked } }) =>
                      setChosen((before) => (checked ? [...before, id] : before.filter((other) => other !== id)))
                    }
                  />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          )
        }
      </Loaded>
      <Group>
        <Button
          disabled={chosen.length === 0}
          loading={add.isPending}
          onClick={() => add.mutate(undefined, { onSettled: () => setChosen([]) })}
        >
          {__('Add to menu', 'pentad')}
        </Button>
      </Group>
    </Stack>
  )
}
