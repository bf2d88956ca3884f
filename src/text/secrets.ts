/**
 * Keys that stand in a text, by the forms that their issuers give them. A small list that is sure: a form is here only
 * where its issuer documents it, and where it begins so that no other text does. Pure.
 */

interface Shape {
  /** The words for this kind of key in a refusal. */
  kind: string;
  /** Every key of the form holds one of these texts: a text with none of them is not searched. */
  marks: readonly string[];
  form: RegExp;
}

/** A key stands alone, or after a line end as strings write it: what goes on before or after it makes it something else. */
const START = '(?:(?<![\\w-])|(?<=\\\\[nrt]))';
const END = '(?![\\w-])';

function shape(kind: string, marks: string | readonly string[], form: string): Shape {
  return { kind, marks: [marks].flat(), form: new RegExp(`${START}${form}${END}`, 'g') };
}

const SHAPES: readonly Shape[] = [
  // docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html, 'Understanding unique ID prefixes'; base32.
  shape('an AWS access key', ['AKIA', 'ASIA'], 'A[KS]IA[A-Z2-7]{16}'),
  // github.blog/2021-04-05-behind-githubs-new-authentication-token-formats
  shape('a GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], 'gh[pousr]_[A-Za-z0-9]{36,76}'),
  shape('a GitHub fine-grained token', 'github_pat_', 'github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  // docs.gitlab.com/security/tokens/#token-prefixes
  shape('a GitLab token', ['glpat-', 'gldt-', 'glrt-'], 'gl(?:pat|dt|rt)-[\\w-]{20,}(?:\\.[0-9a-z]{9})?'),
  // docs.slack.dev/authentication/tokens
  shape('a Slack token', ['xoxb-', 'xoxp-'], 'xox[bp]-\\d{10,13}-\\d{10,13}-[A-Za-z0-9-]{24,}'),
  shape('a Slack app token', 'xapp-', 'xapp-\\d-[A-Z0-9]{9,}-\\d{10,}-[a-f0-9]{64}'),
  // docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  shape(
    'a Slack webhook',
    'hooks.slack.com/',
    'hooks\\.slack\\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{24}',
  ),
  // docs.stripe.com/keys: those of the live mode.
  shape('a Stripe live key', ['sk_live_', 'rk_live_'], '[sr]k_live_[A-Za-z0-9]{24,247}'),
  // cloud.google.com/docs/authentication/api-keys
  shape('a Google API key', 'AIza', 'AIza[\\w-]{35}'),
  // developers.google.com/identity/protocols/oauth2
  shape('a Google OAuth client secret', 'GOCSPX-', 'GOCSPX-[\\w-]{28}'),
  // platform.openai.com/docs/api-reference/authentication: every key has T3BlbkFJ, 'OpenAI' in Base64, inside.
  shape('an OpenAI key', 'T3BlbkFJ', 'sk-(?:[a-z]+-)?[\\w-]{20,74}T3BlbkFJ[\\w-]{20,74}'),
  // docs.anthropic.com/en/api/admin-api/apikeys
  shape('an Anthropic key', 'sk-ant-', 'sk-ant-[a-z]+\\d\\d-[\\w-]{80,120}'),
  // github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format
  shape('an npm token', 'npm_', 'npm_[A-Za-z0-9]{36}'),
  // warehouse.pypa.io/development/token-scanning.html: a macaroon that begins with the name of the site.
  shape('a PyPI token', 'pypi-AgE', 'pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[\\w-]{50,}'),
  // guides.rubygems.org/api-key-scopes
  shape('a RubyGems key', 'rubygems_', 'rubygems_[a-f0-9]{48}'),
  // docs.sendgrid.com/ui/account-and-settings/api-keys
  shape('a SendGrid key', 'SG.', 'SG\\.[\\w-]{22}\\.[\\w-]{43}'),
  // docs.digitalocean.com/reference/api/create-personal-access-token
  shape('a DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], 'do[opr]_v1_[a-f0-9]{64}'),
  // huggingface.co/docs/hub/security-tokens
  shape('a Hugging Face token', 'hf_', 'hf_[A-Za-z]{34}'),
  // shopify.dev/docs/apps/build/authentication-authorization
  shape('a Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  // docs.databricks.com/en/dev-tools/auth/pat.html
  shape('a Databricks token', 'dapi', 'dapi[a-f0-9]{32}(?:-\\d)?'),
  // developer.hashicorp.com/vault/docs/concepts/tokens
  shape('a Vault token', 'hvs.', 'hvs\\.[\\w-]{90,}'),
  // developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens
  shape('a Terraform token', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}'),
  // grafana.com/docs/grafana/latest/administration/service-accounts
  shape('a Grafana token', 'glsa_', 'glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}'),
  // linear.app/docs/api-and-webhooks
  shape('a Linear key', 'lin_api_', 'lin_api_[A-Za-z0-9]{40}'),
  // docs.docker.com/security/access-tokens
  shape('a Docker token', ['dckr_pat_', 'dckr_oat_'], 'dckr_[po]at_[\\w-]{27,32}'),
  // core.telegram.org/bots/api#authorizing-your-bot
  shape('a Telegram bot token', ':AA', '(?:bot)?\\d{8,10}:AA[\\w-]{33}'),
  // learn.microsoft.com/azure/storage/common/storage-account-keys-manage: 64 bytes in Base64.
  shape('an Azure storage key', 'AccountKey=', 'AccountKey=[A-Za-z0-9+/]{86}=='),
  // groq, x.ai and perplexity: console.groq.com/docs, docs.x.ai, docs.perplexity.ai
  shape('a Groq key', 'gsk_', 'gsk_[A-Za-z0-9]{52}'),
  shape('an xAI key', 'xai-', 'xai-[A-Za-z0-9]{80}'),
  shape('a Perplexity key', 'pplx-', 'pplx-[A-Za-z0-9]{48}'),
  // age-encryption.org/v1: Bech32.
  shape('an age secret key', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  // RFC 7468, with a first line of Base64, also as JSON has it; headers as of RFC 1421 may stand before it.
  {
    kind: 'a private key',
    marks: ['PRIVATE KEY'],
    form: /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\r|\\n|\s){1,4}(?:[\w-]{1,40}: [^\r\n\\]{0,80}(?:\\r|\\n|[\r\n]){1,4}){0,4}[A-Za-z0-9+/]{40,}/g,
  },
];

/** Texts of which every key holds one; bin/vedit-hook looks for them, too. */
export const KEY_MARKS: readonly string[] = SHAPES.flatMap(({ marks }) => marks);

/** A key as it was found. `text` is for the engine alone: no message may hold it. */
export interface FoundSecret {
  kind: string;
  /** The line of the key, from 1. */
  line: number;
  text: string;
}

const MOST = 50;

const ANY_MARK = new RegExp(KEY_MARKS.map(mark => mark.replace(/[^\w ]/g, '\\$&')).join('|'));

/** Returns the first keys in a text, in the order in which they stand there. */
export function findSecrets(text: string): FoundSecret[] {
  if (!ANY_MARK.test(text)) return [];
  const found: Array<FoundSecret & { at: number }> = [];
  for (const { kind, marks, form } of SHAPES) {
    if (!marks.some(mark => text.includes(mark))) continue;
    for (const { 0: match, index } of text.matchAll(form)) {
      if (found.length === MOST) break;
      if (!isPlaceholder(match))
        found.push({ kind, line: text.slice(0, index).split('\n').length, text: match, at: index });
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ at: _, ...one }) => one);
}

/** True for a key of documentation: spelled out as an example, or of a few letters again and again. */
function isPlaceholder(key: string): boolean {
  if (/example|placeholder|your[_-]|dummy|redacted|x{6}|0{6}|123456|abcdef/i.test(key)) return true;
  return new Set(key.slice(-20)).size < FEWEST;
}

/** Fewer different digits are among 20 random ones of hex in one key of 50,000. */
const FEWEST = 7;
