import { Button, Group, Image, Stack, Text, TextInput } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Edited } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { MediaPicker } from 'pentad/admin/screens/media/media-picker.tsx'
import { useState } from 'react'
import { CountedField } from './counted-field.tsx'
import classes from './seo.module.css'
import { type Snippet, seoText } from './use-snippet.ts'

interface SharingFieldsProps {
  readonly edited: Edited
  readonly snippet: UseQueryResult<Snippet>
}

/** Previews the post on social networks, and edits its social fields. */
export function SharingFields({ edited, snippet }: SharingFieldsProps) {
  return (
    <Stack>
      <Loaded query={snippet}>
        {({ openGraph: { title, description, image } }) => (
          <div className={classes.card}>
            {image.url !== '' && <Image src={pathOf(image.url)} alt={image.alt} h={180} fit="cover" />}
            <Stack gap={2} p="sm">
              <Text fw={600}>{title}</Text>
              <Text size="sm" c="dimmed" lineClamp={2}>
                {description}
              </Text>
            </Stack>
          </div>
        )}
      </Loaded>
      <Network
        prefix="_seo_og"
        usual={snippet.data}
        edited={edited}
        label={__('Facebook and other networks (Open Graph)', 'pentad')}
      />
      <Network prefix="_seo_x" usual={snippet.data?.openGraph} edited={edited} label={__('X', 'pentad')} />
    </Stack>
  )
}

interface NetworkProps {
  readonly prefix: string
  readonly label: string
  readonly usual: { readonly title: string; readonly description: string } | undefined
  readonly edited: Edited
}

function Network({ prefix, label, usual, edited }: NetworkProps) {
  const [isPicking, setPicking] = useState(false)
  const { setMeta } = edited
  const text = (name: string) => seoText(edited, `${prefix}_${name}`)
  return (
    <Stack gap="xs" component="fieldset" bd={0} p={0} m={0}>
      <Text component="legend" fw={600} size="sm">
        {label}
      </Text>
      <CountedField
        label={__('Title', 'pentad')}
        value={text('title')}
        usual={usual?.title}
        room={70}
        maxLength={1000}
        onChange={(value) => setMeta(`${prefix}_title`, value)}
      />
      <CountedField
        label={__('Description', 'pentad')}
        value={text('description')}
        usual={usual?.description}
        room={200}
        maxLength={2000}
        isLong
        onChange={(value) => setMeta(`${prefix}_description`, value)}
      />
      <Group align="flex-end" gap="xs">
        <TextInput
          flex={1}
          label={__('Image', 'pentad')}
          description={__('Image URL or attachment ID', 'pentad')}
          value={text('image')}
          maxLength={2000}
          onChange={(event) => setMeta(`${prefix}_image`, event.currentTarget.value)}
        />
        <Button variant="default" onClick={() => setPicking(true)}>
          {__('Select image', 'pentad')}
        </Button>
      </Group>
      <MediaPicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        accept="image"
        onPick={([item]) => item && setMeta(`${prefix}_image`, String(item.id))}
      />
    </Stack>
  )
}

/** Images of the site are loaded from the admin's own origin; the content security policy allows no others. */
function pathOf(address: string): string {
  const url = URL.parse(address, window.location.href)
  return url ? url.pathname + url.search : address
}
