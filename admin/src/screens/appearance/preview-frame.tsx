import { Box, Group, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { DeviceChoice } from '../../parts/device-choice.tsx'
import { PagePreview } from '../../parts/page-preview.tsx'
import classes from './preview-frame.module.css'

interface LinkedPost {
  readonly link: string
}

interface PreviewFrameProps {
  readonly query: string | undefined
  readonly scheme: string
  /** `undefined` if the settings determine the scheme. */
  readonly onScheme: ((scheme: string) => void) | undefined
}

/** A page of the site with the unsaved settings. Chooses page, width, and color scheme. */
export function PreviewFrame({ query, scheme, onScheme }: PreviewFrameProps) {
  const [device, setDevice] = useState('wide')
  const [path, setPath] = useState('/')
  const posts = useRead<readonly LinkedPost[]>('wp/v2/posts', { per_page: 1, _fields: 'link' })
  const pages = useRead<readonly LinkedPost[]>('wp/v2/pages', { per_page: 1, _fields: 'link' })
  const shown = [
    { value: '/', label: __('Homepage', 'pentad') },
    ...linkTo(posts.data, __('Latest post', 'pentad')),
    ...linkTo(pages.data, __('Page', 'pentad')),
    { value: '/?s=a', label: __('Search results', 'pentad') },
    { value: '/not-found-preview/', label: __('Page not found', 'pentad') },
  ]
  return (
    <Box className={classes.preview}>
      <Group mb="xs" gap="xs">
        <Select
          aria-label={__('Page to preview', 'pentad')}
          size="xs"
          data={shown}
          value={path}
          allowDeselect={false}
          onChange={(chosen) => setPath(chosen ?? '/')}
        />
        <DeviceChoice value={device} onChange={setDevice} />
        <SegmentedControl
          size="xs"
          aria-label={__('Color scheme of the preview', 'pentad')}
          value={scheme}
          disabled={!onScheme}
          onChange={onScheme}
          data={[
            { value: 'light', label: __('Light', 'pentad') },
            { value: 'dark', label: __('Dark', 'pentad') },
          ]}
        />
      </Group>
      {query && (
        <PagePreview
          className={classes.page}
          device={device}
          src={`${path}${path.includes('?') ? '&' : '?'}${query}`}
        />
      )}
    </Box>
  )
}

/** The path of the first item, for the frame: it must have the origin of the admin. */
function linkTo(items: readonly LinkedPost[] | undefined, label: string) {
  const url = URL.parse(items?.[0]?.link ?? '')
  return url ? [{ value: url.pathname + url.search, label }] : []
}
