import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { __ } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'

/** An overview of the tools. */
export default function Tools() {
  return (
    <Page isForm title={__('Tools', 'pentad')}>
      {can('import') && (
        <Tool
          title={__('Import', 'pentad')}
          description={__('Import posts, pages, media, comments, and menus from a WordPress or Pentad site.', 'pentad')}
          links={{ '/tools/import': __('Import content', 'pentad') }}
        />
      )}
      {can('export') && (
        <Tool
          title={__('Export', 'pentad')}
          description={__('Export the content of this site to a file that WordPress and Pentad can import.', 'pentad')}
          links={{ '/tools/export': __('Export content', 'pentad') }}
        />
      )}
      {can('manage_options') && (
        <>
          <Tool
            title={__('Site Health', 'pentad')}
            description={__('Check the site and its server for problems, and fix them.', 'pentad')}
            links={{ '/tools/site-health': __('Check site health', 'pentad') }}
          />
          <Tool
            title={__('Personal data', 'pentad')}
            description={__(
              'Handle people’s requests to export or erase the data that the site stores about them.',
              'pentad',
            )}
            links={{
              '/tools/privacy/export': __('Export personal data', 'pentad'),
              '/tools/privacy/erase': __('Erase personal data', 'pentad'),
            }}
          />
          <Tool
            title={__('Site setup', 'pentad')}
            description={__(
              'Run the setup wizard again: title, appearance, email, backups, and search engines.',
              'pentad',
            )}
            links={{ '/setup': __('Set up the site', 'pentad') }}
          />
        </>
      )}
    </Page>
  )
}

interface ToolProps {
  readonly title: string
  readonly description: string
  /** Labels by path. */
  readonly links: Readonly<Record<string, string>>
}

function Tool({ title, description, links }: ToolProps) {
  return (
    <Section title={title} description={description}>
      {Object.entries(links).map(([path, label]) => (
        <Text key={path}>
          <Anchor component={Link} to={path}>
            {label}
          </Anchor>
        </Text>
      ))}
    </Section>
  )
}
