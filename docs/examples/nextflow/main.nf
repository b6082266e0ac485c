// A task a clip: nextflow run main.nf -resume
params.manifest = 'lab.json'
params.videos = 'videos/*.mp4'
params.output = 'out'

process ANNOTATE {
    tag "${clip.baseName}"
    publishDir params.output, mode: 'copy'
    cpus 2
    // 75: reasons that may pass; 137, 143: the task was killed, or interrupted.
    errorStrategy { task.exitStatus in [75, 137, 143] ? 'retry' : 'finish' }
    maxRetries 3

    input:
    path manifest
    path clip, stageAs: 'videos/*'

    output:
    path '*.tracks.jsonl'
    path '*.mp4'

    script:
    """
    annotate-batch run ${manifest} --output . --jobs 1 --threads ${task.cpus} --progress plain
    """
}

workflow {
    ANNOTATE(file(params.manifest), Channel.fromPath(params.videos))
}
