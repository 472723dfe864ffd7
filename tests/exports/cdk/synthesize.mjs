// synthesize.mjs TABLES.json TEMPLATE.json: makes a stack of the properties and holds it against the template.
import { App, Stack } from 'aws-cdk-lib';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { deepStrictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';

const [tablesFile, templateFile] = process.argv.slice(2);
const { tables, alarms } = JSON.parse(readFileSync(tablesFile, 'utf8'));
const template = JSON.parse(readFileSync(templateFile, 'utf8'));

const app = new App({ analyticsReporting: false });
const stack = new Stack(app, 'Tables');
for (const [id, props] of Object.entries(tables)) new CfnTable(stack, id, props);
for (const [id, props] of Object.entries(alarms)) new CfnAlarm(stack, id, props);
const made = app.synth().getStackByName('Tables').template;

const properties = (resources) =>
    Object.fromEntries(
        Object.entries(resources)
            .filter(([, resource]) => resource.Type !== 'AWS::CDK::Metadata')
            .map(([id, resource]) => [id, { Type: resource.Type, Properties: resource.Properties }]),
    );
deepStrictEqual(properties(made.Resources), properties(template.Resources));
console.log(`ok ${template.Description}: ${Object.keys(template.Resources).length} resources`);
