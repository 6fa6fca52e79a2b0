import { Badge, Button, FileInput, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { confirm } from '../../parts/confirm.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { THEMES, type ThemeInfo, themeTitle } from '../../parts/themes.ts'

/** Everything that depends on the theme or on the list of themes. */
const CHANGED = [THEMES, 'host/v1/appearance', 'page-data']

interface Previewing {
  /** Name of the theme that the preview shows; `undefined` for the active one. */
  readonly previewed: string | undefined
  readonly onPreview: (name: string | undefined) => void
}

/** The installed themes. Previews, activates, removes, and uploads them. */
export function Themes(previewing: Previewing) {
  const themes = useRead<{ readonly items: readonly ThemeInfo[] }>(THEMES)
  return (
    <Loaded query={themes} lines={3}>
      {({ items }) => (
        <>
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {items.map((theme) => (
              <ThemeRow key={theme.name} theme={theme} {...previewing} />
            ))}
          </Stack>
          {can('install_themes') && <UploadTheme />}
        </>
      )}
    </Loaded>
  )
}

function ThemeRow({ theme, previewed, onPreview }: Previewing & { readonly theme: ThemeInfo }) {
  const isPreviewed = previewed === theme.name
  const title = themeTitle(theme.name)
  const activate = useChange(() => change('PUT', 'host/v1/settings/host', { settings: { theme: theme.name } }), {
    invalidates: CHANGED,
    done: sprintf(__('Theme “%s” activated.', 'pentad'), title),
  })
  return (
    <Stack component="li" gap={6} data-theme={theme.name}>
      <Group gap="xs">
        <Text fw={600}>{title}</Text>
        {theme.active && <Badge variant="light">{__('Active', 'pentad')}</Badge>}
      </Group>
      {theme.isUntrusted && (
        <Text size="sm" c="dimmed">
          {__('From a backup not signed by this site. Activate it only if you trust it.', 'pentad')}
        </Text>
      )}
      {!theme.active && (
        <Group gap="xs">
          {!theme.isUntrusted && (
            <Button
              size="xs"
              variant={isPreviewed ? 'filled' : 'default'}
              aria-pressed={isPreviewed}
              aria-label={sprintf(__('Preview the theme “%s”', 'pentad'), title)}
              onClick={() => onPreview(isPreviewed ? undefined : theme.name)}
            >
              {__('Preview', 'pentad')}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            loading={activate.isPending}
            aria-label={sprintf(__('Activate the theme “%s”', 'pentad'), title)}
            onClick={() => activate.mutate(undefined, { onSuccess: () => onPreview(undefined) })}
          >
            {__('Activate', 'pentad')}
          </Button>
          {theme.isRemovable && can('delete_themes') && (
            <RemoveTheme name={theme.name} onRemoved={() => isPreviewed && onPreview(undefined)} />
          )}
        </Group>
      )}
    </Stack>
  )
}

function RemoveTheme({ name, onRemoved }: { readonly name: string; readonly onRemoved: () => void }) {
  const { mutate, isPending } = useChange(() => change('DELETE', `${THEMES}/${name}`), {
    invalidates: CHANGED,
    done: __('Theme removed.', 'pentad'),
  })
  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: sprintf(__('Remove the theme “%s”?', 'pentad'), name),
      body: __('Its files will be deleted. Posts, pages, and settings are kept.', 'pentad'),
      confirm: __('Remove', 'pentad'),
      isDestructive: true,
    })
    if (isSure) mutate(undefined, { onSuccess: onRemoved })
  }
  return (
    <Button
      size="xs"
      variant="light"
      color="red"
      loading={isPending}
      aria-label={sprintf(__('Remove the theme “%s”', 'pentad'), name)}
      onClick={() => void remove()}
    >
      {__('Remove', 'pentad')}
    </Button>
  )
}

type Installed = Responses['POST /host/v1/themes/upload']

/** Uploads a theme; asks before it replaces an installed one. */
async function upload(file: File, replace = false): Promise<Installed> {
  const body = new FormData()
  body.append('file', file)
  body.append('replace', String(replace))
  try {
    return await change<Installed>('POST', `${THEMES}/upload`, undefined, { body })
  } catch (error) {
    const name = error instanceof ApiError && error.code === 'theme_exists' ? error.data.name : undefined
    if (!(error instanceof ApiError) || typeof name !== 'string') throw error
    const isSure = await confirm({
      title: sprintf(__('Replace the theme “%s”?', 'pentad'), name),
      body: error.message,
      confirm: __('Replace', 'pentad'),
      isDestructive: true,
    })
    if (!isSure) throw error
    return upload(file, true)
  }
}

function UploadTheme() {
  const [file, setFile] = useState<File | null>(null)
  const { mutate, isPending } = useChange((chosen: File) => upload(chosen), {
    invalidates: CHANGED,
    done: ({ name, replaced }) =>
      replaced
        ? sprintf(__('Theme “%s” replaced.', 'pentad'), name)
        : sprintf(__('Theme “%s” installed. Preview or activate it here.', 'pentad'), name),
  })
  return (
    <Group align="flex-end" gap="xs">
      <FileInput
        label={__('Theme archive', 'pentad')}
        description={__(
          'A ZIP archive of the theme’s folder. A theme can run code on the server. Upload only themes that you trust.',
          'pentad',
        )}
        placeholder={__('Select file', 'pentad')}
        accept=".zip,.tgz,.gz,.tar"
        clearable
        value={file}
        onChange={setFile}
        w="100%"
      />
      <Button
        size="xs"
        disabled={file === null}
        loading={isPending}
        onClick={() => file && mutate(file, { onSuccess: () => setFile(null) })}
      >
        {__('Upload theme', 'pentad')}
      </Button>
    </Group>
  )
}
