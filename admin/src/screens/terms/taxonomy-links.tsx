import { Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import { useRead } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import type { TaxonomyInfo } from './term.ts'

const PATHS: Readonly<Record<string, string>> = { category: '/categories', post_tag: '/tags' }

/** Links to other taxonomies, if extensions have registered some. */
export function TaxonomyLinks({ current }: { current: string }) {
  const { data } = useRead<Readonly<Record<string, TaxonomyInfo>>>('wp/v2/taxonomies', { context: 'edit' })
  const all = Object.values(data ?? {}).filter(({ visibility }) => visibility.show_ui)
  if (all.every(({ slug }) => slug in PATHS)) return null
  return (
    <Group gap="xs" component="nav" aria-label={__('Taxonomies', 'pentad')}>
      {all.map(({ slug, name }) => (
        <Button
          key={slug}
          size="xs"
          variant={slug === current ? 'light' : 'subtle'}
          aria-current={slug === current ? 'page' : undefined}
          component={Link}
          to={PATHS[slug] ?? `/terms/${slug}`}
        >
          {name}
        </Button>
      ))}
    </Group>
  )
}
