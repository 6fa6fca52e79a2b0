import { ActionIcon, Box, Button, Grid, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowsMaximize, IconArrowsMinimize } from '@tabler/icons-react'
import { useRef } from 'react'
import { __ } from '../../../i18n.ts'
import { can, pageData } from '../../../page-data.ts'
import { siteTime } from '../../../parts/format.ts'
import { idle } from '../../../parts/idle.ts'
import { useLeaveGuard } from '../../../parts/leave-guard.ts'
import { Page } from '../../../parts/page.tsx'
import { Section } from '../../../parts/section.tsx'
import type { PluginEditor } from '../../../plugins/types.ts'
import { type ContentTaxonomy, type ContentType, PATTERN } from '../types.ts'
import { Conflict } from './conflict.tsx'
import { focusText, useDistractionFree } from './distraction-free.ts'
import { Attributes } from './fields/attributes.tsx'
import { FeaturedImage } from './fields/featured-image.tsx'
import { MetaFields } from './fields/meta-fields.tsx'
import { Permalink } from './fields/permalink.tsx'
import { Publish } from './fields/publish.tsx'
import { SyncStatus } from './fields/sync-status.tsx'
import { Terms } from './fields/terms.tsx'
import type { StoredPost } from './fields.ts'
import { forgetLocally } from './local-copy.ts'
import { pluginEditors } from './plugin-editors.ts'
import { Preview } from './preview.tsx'
import { Recovery } from './recovery.tsx'
import { Revisions } from './revisions.tsx'
import { TextField } from './text/text-field.tsx'
import { useAutosave } from './use-autosave.ts'
import { useEdited } from './use-edited.ts'
import { useSaving } from './use-saving.ts'

interface EditorProps {
  readonly type: ContentType
  readonly taxonomies: readonly ContentTaxonomy[]
  /** `undefined` for a new one. */
  readonly post: StoredPost | undefined
  readonly onCreated: (post: StoredPost) => void
}

/** The editor for posts of any type. */
export function Editor({ type, taxonomies, post: first, onCreated }: EditorProps) {
  const edited = useEdited(first, taxonomies, pageData.user.id)
  const { fields, post, set, isDirty } = edited
  const saving = useSaving(type, edited, (made) => {
    forgetLocally(type.slug, undefined)
    onCreated(made)
  })
  const autosavedAt = useAutosave(type, edited)
  const text = useRef<HTMLDivElement>(null)
  const [isDistractionFree, toggleDistractionFree] = useDistractionFree(text)
  useLeaveGuard(isDirty && !saving.isBusy)
  useHotkeys([['mod+S', () => void saving.save()]], [], true)
  const { labels } = type
  /** Of what is not needed for writing. Hidden, not removed: fields keep what is typed into them. */
  const display = isDistractionFree ? 'none' : undefined
  const fieldsOfPlugins = (where: PluginEditor['place']) =>
    pluginEditors
      .filter(({ place }) => place === where)
      .map(({ id, Fields }) => <Fields key={id} type={type} taxonomies={taxonomies} edited={edited} />)
  return (
    <Page
      title={(post ? labels.edit_item : labels.add_new_item) ?? __('Edit', 'pentad')}
      actions={
        <>
          <ActionIcon
            variant={isDistractionFree ? 'filled' : 'default'}
            size={36}
            aria-pressed={isDistractionFree}
            aria-label={__('Distraction free', 'pentad')}
            aria-keyshortcuts="Control+Shift+\\ Meta+Shift+\\"
            title={__('Distraction free', 'pentad')}
            onClick={toggleDistractionFree}
          >
            {isDistractionFree ? (
              <IconArrowsMinimize size={18} aria-hidden />
            ) : (
              <IconArrowsMaximize size={18} aria-hidden />
            )}
          </ActionIcon>
          {post && <Revisions type={type} edited={edited} />}
          {type.viewable && <Preview type={type} edited={edited} saving={saving} />}
          <Box visibleFrom="sm">
            <SaveButtons type={type} edited={edited} saving={saving} />
          </Box>
        </>
      }
    >
      <Recovery type={type} edited={edited} />
      <Grid gap="md" justify="center">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {type.supports.title && (
              <TextInput
                label={__('Title', 'pentad')}
                size="lg"
                labelProps={{ fz: 'sm' }}
                dir={fields.title === '' ? undefined : 'auto'}
                value={fields.title}
                // A new post begins with its title, as in WordPress.
                autoFocus={!post}
                onChange={(event) => set({ title: event.currentTarget.value })}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                  event.preventDefault()
                  focusText(text.current)
                }}
              />
            )}
            <Stack display={display}>
              <Permalink type={type} edited={edited} />
              {fieldsOfPlugins('above the text')}
            </Stack>
            {type.supports.editor && (
              <div ref={text}>
                <TextField
                  label={__('Content', 'pentad')}
                  value={fields.content}
                  onChange={(content) => set({ content })}
                />
              </div>
            )}
            <Stack display={display}>{fieldsOfPlugins('below the text')}</Stack>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }} display={display}>
          <Stack>
            <Publish type={type} edited={edited} autosavedAt={autosavedAt} />
            {type.slug === PATTERN && <SyncStatus edited={edited} />}
            <Terms taxonomies={taxonomies} edited={edited} />
            {type.supports.thumbnail && (
              <Section title={labels.featured_image ?? __('Featured image', 'pentad')}>
                <FeaturedImage type={type} id={fields.featured_media} onChange={(id) => set({ featured_media: id })} />
              </Section>
            )}
            {type.slug !== PATTERN && <Attributes type={type} edited={edited} />}
            <MetaFields type={type} edited={edited} />
          </Stack>
        </Grid.Col>
      </Grid>
      {/* On a phone the buttons at the top are out of reach. */}
      <Paper hiddenFrom="sm" withBorder p="xs" pos="sticky" bottom={0} style={{ zIndex: 10 }}>
        <Group justify="flex-end">
          <SaveButtons type={type} edited={edited} saving={saving} />
        </Group>
      </Paper>
      {saving.conflict && <Conflict edited={edited} saving={saving} theirs={saving.conflict} />}
    </Page>
  )
}

interface SaveButtonsProps {
  readonly type: ContentType
  readonly edited: ReturnType<typeof useEdited>
  readonly saving: ReturnType<typeof useSaving>
}

/** A published post is updated; any other is saved as a draft, published, or submitted for review. */
function SaveButtons({ type, edited, saving }: SaveButtonsProps) {
  const { fields, stored, post, isDirty } = edited
  const isOut = ['publish', 'future', 'private'].includes(stored.status)
  const mayPublish = can(type.capabilities.publish_posts ?? 'publish_posts')
  const isReady = fields.title.trim() !== '' || fields.content.trim() !== '' || fields.excerpt.trim() !== ''
  const status = mayPublish ? (fields.status === 'private' ? 'private' : 'publish') : 'pending'
  const canSave = isReady && (isDirty || post === undefined)
  const canPublish = isOut ? isDirty : isReady
  return (
    <Group gap="xs">
      {!isOut && (
        <Button
          variant="default"
          loading={saving.isBusy}
          {...idle(!canSave)}
          onClick={() => canSave && void saving.save()}
        >
          {fields.status === 'draft' ? __('Save draft', 'pentad') : __('Save', 'pentad')}
        </Button>
      )}
      <Button
        loading={saving.isBusy}
        {...idle(!canPublish)}
        onClick={() => canPublish && void saving.save(isOut ? undefined : { status })}
      >
        {isOut ? __('Update', 'pentad') : mayPublish ? publishLabel(fields.date) : __('Submit for review', 'pentad')}
      </Button>
    </Group>
  )
}

function publishLabel(date: string): string {
  const isToCome = date !== '' && date > siteTime(new Date())
  return isToCome ? __('Schedule', 'pentad') : __('Publish', 'pentad')
}
