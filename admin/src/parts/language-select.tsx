import { Select } from '@mantine/core'
import { __, sprintf } from '../i18n.ts'
import { pageData } from '../page-data.ts'

/** WordPress's names of the most common languages; another language that is already set stays available. */
const LOCALES =
  'en_US en_GB ar bg_BG bn_BD ca cs_CZ da_DK de_DE de_AT de_CH el es_ES es_MX et fa_IR fi fr_FR fr_CA he_IL hi_IN hr hu_HU id_ID it_IT ja ko_KR lt_LT lv nb_NO nl_NL nl_BE pl_PL pt_BR pt_PT ro_RO ru_RU sk_SK sl_SI sr_RS sv_SE th tr_TR uk vi zh_CN zh_TW'.split(
    ' ',
  )

const names = new Intl.DisplayNames(pageData.locale.language, { type: 'language', fallback: 'code' })

function nameOf(locale: string): string {
  try {
    return names.of(locale.replace('_', '-')) ?? locale
  } catch {
    return locale
  }
}

interface LanguageSelectProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  readonly onChange: (locale: string) => void
  readonly error?: string | undefined
  /** Whether the language of the site is a choice, which has the value `''`. */
  readonly hasSiteDefault?: boolean
}

export function LanguageSelect({ value, onChange, hasSiteDefault = false, ...shared }: LanguageSelectProps) {
  const all = LOCALES.includes(value) || value === '' ? LOCALES : [value, ...LOCALES]
  const languages = all
    .map((locale) => ({ value: locale, label: nameOf(locale) }))
    .sort((one, other) => one.label.localeCompare(other.label))
  const siteDefault = {
    value: '',
    /* translators: %s: name of a language */
    label: sprintf(__('Site default (%s)', 'pentad'), nameOf(pageData.site.language)),
  }
  return (
    <Select
      {...shared}
      data={hasSiteDefault ? [siteDefault, ...languages] : languages}
      searchable
      allowDeselect={false}
      value={hasSiteDefault ? value : value || null}
      onChange={(locale) => onChange(locale ?? value)}
    />
  )
}
